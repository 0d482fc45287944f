import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { type AlarmShape, burnRateShapes } from './alarmShape.ts';
import { alarmShapesOf, type Watched } from './alarmShapes.ts';
import type { Objective } from './objectives.ts';
import { topicArnOf } from './topics.ts';

/** Declares an alarm that notifies the topic of its severity. Its description says what happened, and names the runbook. */
export const declareAlarm = (
  scope: Construct,
  id: string,
  shape: AlarmShape,
  { deployment }: Settings,
): Alarm => {
  const { severity, summary, runbook, periods, breaching = periods } = shape;
  const alarm = new Alarm(scope, id, {
    metric: shape.metric,
    threshold: shape.threshold,
    comparisonOperator: shape.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods,
    datapointsToAlarm: breaching,
    alarmDescription: `[${severity}] ${summary} Runbook: docs/runbooks/${runbook}.md`,
    treatMissingData: shape.missingData ?? TreatMissingData.NOT_BREACHING,
  });
  const topic = Topic.fromTopicArn(scope, `${id}Topic`, topicArnOf(scope, deployment, severity));
  alarm.addAlarmAction(new SnsAction(topic));
  return alarm;
};

/** All alarms, besides the one that ends a deployment of the API. */
export class Alarms extends Construct {
  readonly #settings: Settings;

  constructor(
    scope: Construct,
    id: string,
    watched: Watched,
    objectives: Readonly<Record<string, Objective>>,
  ) {
    super(scope, id);
    const shapes = { ...burnRateShapes(objectives), ...alarmShapesOf(watched) };
    this.#settings = watched.settings;
    for (const [alarmId, shape] of Object.entries(shapes)) this.add(alarmId, shape);
  }

  add(id: string, shape: AlarmShape): void {
    declareAlarm(this, id, shape, this.#settings);
  }
}
