import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** Tells a function the address mail comes from, where there is one. */
export const senderVariables = ({ notificationSender }: Settings): Record<string, string> =>
  notificationSender === undefined ? {} : { NOTIFICATION_SENDER: notificationSender };

/**
 * Lets a function send mail as the sender, by whichever identity of SES it is verified: its address or its domain. Of a
 * message that is given whole, SES asks for `SendRawEmail` as well, though the operation is `SendEmail`.
 */
export const mailStatements = (scope: Construct, { notificationSender }: Settings): PolicyStatement[] => {
  if (notificationSender === undefined) return [];
  const domain = notificationSender.slice(notificationSender.lastIndexOf('@') + 1);
  return [
    new PolicyStatement({
      actions: ['ses:SendEmail', 'ses:SendRawEmail'],
      resources: [notificationSender, domain].map((resourceName) =>
        Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName }),
      ),
    }),
  ];
};
