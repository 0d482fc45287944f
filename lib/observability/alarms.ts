import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import { type AlarmShape, burnRateShapes } from './alarmShape.ts';
import { alarmShapesOf, type Watched } from './alarmShapes.ts';
import { ledgerChecks } from './ledgerChecks.ts';
import type { Objective } from './objectives.ts';
import { AlarmTopics } from './topics.ts';

/** Alarms that notify the operator. Each description says what happened, its severity, and the runbook. */
export class Alarms extends Construct {
  readonly topics: AlarmTopics;
  readonly #alarms = new Map<string, Alarm>();

  constructor(
    scope: Construct,
    id: string,
    watched: Watched,
    objectives: Readonly<Record<string, Objective>>,
  ) {
    super(scope, id);
    this.topics = new AlarmTopics(this, 'Topics', watched.settings);
    const shapes = {
      ...burnRateShapes(objectives),
      ...alarmShapesOf(watched),
      LedgerCheckFailed: ledgerChecks(this, watched),
    };
    for (const [alarmId, shape] of Object.entries(shapes)) this.#declare(alarmId, shape);
  }

  get(id: string): Alarm {
    const alarm = this.#alarms.get(id);
    if (alarm === undefined) throw new Error(`Alarm ${id} is not declared`);
    return alarm;
  }

  #declare(id: string, shape: AlarmShape): void {
    const { severity, summary, runbook, periods, breaching = periods } = shape;
    const alarm = new Alarm(this, id, {
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
    alarm.addAlarmAction(new SnsAction(this.topics[severity]));
    this.#alarms.set(id, alarm);
  }
}
