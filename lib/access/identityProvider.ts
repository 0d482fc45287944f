import { Aws, Duration, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
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
import type { Settings } from '../settings.ts';

export interface IdentityProviderProps {
  readonly settings: Settings;
  /** The address clients use, without a trailing slash; the provider sends browsers back to it. */
  readonly baseUrl: string;
}

/** Where users sign in, as the function that sends them there needs to know it. */
export interface OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;
}

/**
 * The OpenID Connect provider users sign in through: the one the settings name, which then declares nothing here, or a
 * Cognito user pool with this service as its only client.
 */
export class IdentityProvider extends Construct implements OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Where operators add users; undefined where the provider is not ours. */
  readonly userPoolId: string | undefined;

  constructor(scope: Construct, id: string, { settings, baseUrl }: IdentityProviderProps) {
    super(scope, id);
    const { oidcIssuer, oidcClientId } = settings;
    if (oidcIssuer !== undefined && oidcClientId !== undefined) {
      this.issuer = oidcIssuer;
      this.clientId = oidcClientId;
      return;
    }
    const pool = this.#addUserPool(settings);
    const client = this.#addClient(pool, baseUrl);
    this.#addSignInPages(pool, client);
    this.issuer = pool.userPoolProviderUrl;
    this.clientId = client.userPoolClientId;
    this.userPoolId = pool.userPoolId;
  }

  #addUserPool(settings: Settings): UserPool {
    const pool = new UserPool(this, 'Users', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      autoVerify: { email: true },
      // Roles go by e-mail: an address must not count before its owner has proved it.
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
    Validations.of(pool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason:
          'A second factor (an authenticator app) is offered to every user; whether it is required is the decision of ' +
          'the company that deploys this, which may also name an identity provider of its own.',
      },
      {
        id: 'AwsSolutions-COG8',
        reason:
          'The Plus plan is charged for every active user. Nobody can sign up here, so what its threat protection ' +
          'adds is left to those who want to pay for it.',
      },
    );
    return pool;
  }

  /** A public client: PKCE protects its code, so there is no secret to keep and rotate. */
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
      },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      // The shortest lives Cognito knows: its ID token is read once, at the callback, and its other tokens never.
      idTokenValidity: Duration.minutes(5),
      accessTokenValidity: Duration.minutes(5),
      refreshTokenValidity: Duration.hours(1),
    });
  }

  /** Managed login, since the classic pages ignore `prompt=login` and so could never ask for a fresh sign-in. */
  #addSignInPages(userPool: UserPool, client: UserPoolClient): void {
    new UserPoolDomain(this, 'Domain', {
      userPool,
      // One in the world for each prefix: an account and a stack's name make it this deployment's own.
      cognitoDomain: { domainPrefix: `${Aws.STACK_NAME}-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Managed login shows no page at all for a client without a style.
    new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: userPool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
  }
}
