import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPool,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  UserPool,
  UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import type { PublishedValues } from '../values.ts';

/** The users of a deployment without an external OpenID Connect provider: a Cognito user pool with its sign-in pages. */
export class UserDirectory extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, values: PublishedValues) {
    super(scope, id);
    const pool = this.#addUserPool(settings);
    new UserPoolDomain(this, 'Domain', {
      userPool: pool,
      // A prefix must be globally unique, so it contains the account id.
      cognitoDomain: { domainPrefix: `${settings.deployment}-${Aws.ACCOUNT_ID}` },
      // The classic pages ignore `prompt=login`, so they cannot require a new sign-in.
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    values.publish('userPool/id', pool.userPoolId);
    values.publish('userPool/issuer', pool.userPoolProviderUrl);
  }

  #addUserPool(settings: Settings): UserPool {
    const pool = new UserPool(this, 'Users', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      autoVerify: { email: true },
      // Roles are assigned by e-mail address. A changed address must be verified before it replaces the old one.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        passwordHistorySize: 5,
        tempPasswordValidity: Duration.days(3),
      },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: settings.protected,
      removalPolicy: settings.removalPolicy,
    });
    sendThroughSes(pool, settings);
    Validations.of(pool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason:
          'Every user may enable a second factor (an authenticator app). The deploying company decides whether to ' +
          'require it, and may use its own identity provider.',
      },
      {
        id: 'AwsSolutions-COG8',
        reason:
          'The Plus plan is charged per active user. Sign-up is disabled, so its threat protection adds little and is ' +
          'left to the deploying company.',
      },
    );
    return pool;
  }
}

/** Makes Cognito send its mail as the notification sender. Without SES it sends about 50 mails a day. */
const sendThroughSes = (pool: UserPool, { notificationSender, senderIdentity }: Settings): void => {
  if (notificationSender === undefined || senderIdentity === undefined) return;
  const resource = pool.node.defaultChild;
  if (!(resource instanceof CfnUserPool)) throw new Error('The user pool has no CloudFormation resource');
  resource.emailConfiguration = {
    emailSendingAccount: 'DEVELOPER',
    from: notificationSender,
    sourceArn: Stack.of(pool).formatArn({
      service: 'ses',
      resource: 'identity',
      resourceName: senderIdentity,
    }),
  };
};
