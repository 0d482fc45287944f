import { Aws } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** `page`: somebody must act now. `ticket`: within a working day. */
export type Severity = 'page' | 'ticket';

/** One SNS topic for alarms of each severity. */
export class AlarmTopics extends Construct {
  readonly page: Topic;
  readonly ticket: Topic;

  constructor(scope: Construct, id: string, { alarmEmail, pageEmail = alarmEmail }: Settings) {
    super(scope, id);
    this.page = this.#declare('Page', pageEmail);
    this.ticket = this.#declare('Ticket', alarmEmail);
  }

  #declare(id: string, email: string | undefined): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    // `enforceSSL` replaces the default topic policy, which allowed CloudWatch to publish.
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}
