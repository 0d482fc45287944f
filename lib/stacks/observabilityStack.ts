import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Targets } from '../compute/targets.ts';
import { Alarms } from '../observability/alarms.ts';
import { Dashboard } from '../observability/dashboard.ts';
import { Heartbeat } from '../observability/heartbeat.ts';
import { objectivesOf } from '../observability/objectives.ts';
import { addSpendBudget } from '../observability/spendBudget.ts';
import { AlarmTopics } from '../observability/topics.ts';
import type { Settings } from '../settings.ts';
import { valuesFor } from '../values.ts';
import { stackProps } from './stackProps.ts';

/** What watches the other stacks. A change of it cannot stop the service. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id, {
      ...stackProps(settings),
      description: 'Inference attribution: alarms, dashboard and budget',
    });
    const read = valuesFor(this, settings);
    const watched = {
      settings,
      apiId: read('api/id'),
      exports: new Targets(this, settings, read).get('stateMachine', 'exports').reference,
    };
    const objectives = objectivesOf(settings, watched.apiId);
    const topics = new AlarmTopics(this, 'Topics', settings);
    const alarms = new Alarms(this, 'Alarms', watched, objectives);
    // The gateway of one machine has no public address.
    if (settings.environment !== 'local')
      alarms.add('Unreachable', new Heartbeat(this, 'Heartbeat', read('api/url'), settings).alarm);
    new Dashboard(this, 'Dashboard', watched, objectives);
    addSpendBudget(this, 'Spend', settings);
    new CfnOutput(this, 'PageTopic', { value: topics.page.topicArn });
    new CfnOutput(this, 'TicketTopic', { value: topics.ticket.topicArn });
  }
}
