import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** The sender address as an environment variable, if one is configured. */
export const senderVariables = ({ notificationSender }: Settings): Record<string, string> =>
  notificationSender === undefined ? {} : { NOTIFICATION_SENDER: notificationSender };

/**
 * Allows a function to send mail as the configured sender. Its SES identity may be the address or the domain. For raw
 * messages SES also requires `SendRawEmail`, although the operation is `SendEmail`.
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
