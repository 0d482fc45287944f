import { Duration } from 'aws-cdk-lib';
import {
  CfnManagedLoginBranding,
  type IUserPool,
  OAuthScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import type { ReadValue } from '../values.ts';

export interface SignInClientProps {
  readonly settings: Settings;
  /** The public base URL, without a trailing slash. The provider redirects browsers to it. */
  readonly baseUrl: string;
  readonly read: ReadValue;
}

/** The issuer and the client id that the sign-in function uses. */
export interface OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;
}

/**
 * This service as a client of the OpenID Connect provider. The settings may name an external provider. Otherwise it is the
 * user pool of the deployment, and this is its only client.
 */
export class SignInClient extends Construct implements OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;

  constructor(scope: Construct, id: string, { settings, baseUrl, read }: SignInClientProps) {
    super(scope, id);
    const { oidcIssuer, oidcClientId } = settings;
    if (oidcIssuer !== undefined && oidcClientId !== undefined) {
      this.issuer = oidcIssuer;
      this.clientId = oidcClientId;
      return;
    }
    const pool = UserPool.fromUserPoolId(this, 'Users', read('userPool/id'));
    this.issuer = read('userPool/issuer');
    this.clientId = this.#addClient(pool, baseUrl);
  }

  /** A public client. PKCE protects its authorization code, so no client secret has to be stored and rotated. */
  #addClient(userPool: IUserPool, baseUrl: string): string {
    const { userPoolClientId: clientId } = new UserPoolClient(this, 'Client', {
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
    // Managed login shows no page for a client without a branding style.
    new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: userPool.userPoolId,
      clientId,
      useCognitoProvidedValues: true,
    });
    return clientId;
  }
}
