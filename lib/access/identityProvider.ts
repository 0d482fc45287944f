import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  CfnUserPool,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Targets } from '../compute/targets.ts';
import type { Settings } from '../settings.ts';

export interface IdentityProviderProps {
  readonly settings: Settings;
  /** The public base URL, without a trailing slash. The provider redirects browsers to it. */
  readonly baseUrl: string;
  readonly targets: Targets;
}

/** The issuer and the client id that the sign-in function uses. */
export interface OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;
}

/**
 * The OpenID Connect provider for users. The settings may name an external one. Otherwise this declares a Cognito user
 * pool with this service as its only client.
 */
export class IdentityProvider extends Construct implements OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;

  constructor(scope: Construct, id: string, { settings, baseUrl, targets }: IdentityProviderProps) {
    super(scope, id);
    const target = { kind: 'userPool', name: 'id' } as const;
    const { oidcIssuer, oidcClientId } = settings;
    if (oidcIssuer !== undefined && oidcClientId !== undefined) {
      this.issuer = oidcIssuer;
      this.clientId = oidcClientId;
      targets.add({ ...target, arns: [], reference: '' });
      return;
    }
    const pool = this.#addUserPool(settings);
    const client = this.#addClient(pool, baseUrl);
    this.#addSignInPages(pool, client);
    this.issuer = pool.userPoolProviderUrl;
    this.clientId = client.userPoolClientId;
    targets.add({ ...target, arns: [pool.userPoolArn], reference: pool.userPoolId });
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

  /** A public client. PKCE protects its authorization code, so no client secret has to be stored and rotated. */
  #addClient(userPool: UserPool, baseUrl: string): UserPoolClient {
    return new UserPoolClient(this, 'Client', {
      userPool,
      generateSecret: false,
      authFlows: { userSrp: true },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [`${baseUrl}/v1/oauth/callback`],
        logoutUrls: [`${baseUrl}/console/signed-out`],
      },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      // The shortest lifetimes of Cognito. The ID token is read once, at the callback. The other tokens are never used.
      idTokenValidity: Duration.minutes(5),
      accessTokenValidity: Duration.minutes(5),
      refreshTokenValidity: Duration.hours(1),
    });
  }

  /** Uses managed login. The classic pages ignore `prompt=login`, so they cannot require a new sign-in. */
  #addSignInPages(userPool: UserPool, client: UserPoolClient): void {
    new UserPoolDomain(this, 'Domain', {
      userPool,
      // A prefix must be globally unique, so it contains the stack name and the account id.
      cognitoDomain: { domainPrefix: `${Aws.STACK_NAME}-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Managed login shows no page for a client without a branding style.
    new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: userPool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
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
