import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { nameIn } from '../names.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';

/** `page`: somebody must act now. `ticket`: within a working day. */
export type Severity = 'page' | 'ticket';

/** The ARN of the topic of a severity. Its name is fixed, because an alarm of another stack notifies it too. */
export const topicArnOf = (scope: Construct, deployment: string, severity: Severity): string =>
  Stack.of(scope).formatArn({
    service: 'sns',
    resource: nameIn(deployment, severity),
    arnFormat: ArnFormat.NO_RESOURCE_NAME,
  });

/** One SNS topic for alarms of each severity. */
export class AlarmTopics extends Construct {
  readonly page: Topic;
  readonly ticket: Topic;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { deployment, alarmEmail, pageEmail = alarmEmail } = settings;
    this.page = this.#declare('page', deployment, pageEmail);
    this.ticket = this.#declare('ticket', deployment, alarmEmail);
  }

  #declare(severity: Severity, deployment: string, email: string | undefined): Topic {
    const topic = new Topic(this, pascalCase(severity), {
      topicName: nameIn(deployment, severity),
      enforceSSL: true,
    });
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
