import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Template } from '../../lib/synthesise.ts';
import { units } from '../../schemas/routes/route.ts';
import { addressIn, functionId, resourcesOf, templateOf } from './stack.ts';

const EXTERNAL = { oidcIssuer: 'https://login.example.org/realms/staff', oidcClientId: 'the-service' };

const singleResource = (template: Template, type: string): [string, Record<string, unknown>] => {
  const [resource, ...others] = resourcesOf(template, type, z.record(z.string(), z.unknown()));
  if (resource === undefined || others.length > 0) throw new Error(`${others.length} more of ${type}`);
  return resource;
};

/** OIDC environment variables by function id. Functions without OIDC variables are left out. */
const oidcVariables = (template: Template) => {
  const functions = resourcesOf(
    template,
    'AWS::Lambda::Function',
    z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) }),
  );
  const variables = [...functions].map(
    ([id, { Environment }]) =>
      [id, Object.entries(Environment.Variables).filter(([name]) => name.startsWith('OIDC_'))] as const,
  );
  return Object.fromEntries(
    variables
      .filter(([, entries]) => entries.length > 0)
      .map(([id, entries]) => [id, Object.fromEntries(entries)]),
  );
};

const expectedOidcVariables = (template: Template, issuer: unknown, clientId: unknown) =>
  Object.fromEntries(
    units
      .filter((unit: string) => unit === 'signIn')
      .map((unit) => [
        functionId(template, 'Units', unit),
        { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId },
      ]),
  );

describe('a stack without an external identity provider', () => {
  const template = templateOf({});
  const [poolId, pool] = singleResource(template, 'AWS::Cognito::UserPool');
  const [clientId, client] = singleResource(template, 'AWS::Cognito::UserPoolClient');

  it('disables self sign-up, and identifies users by a verified, case-insensitive e-mail address', () => {
    expect(pool).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ['email'],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    });
  });

  it('offers an authenticator app as a second factor, and no text messages', () => {
    expect(pool).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
    expect(pool).not.toHaveProperty('SmsConfiguration');
  });

  it('protects the user pool from deletion in production only', () => {
    const [, sandbox] = singleResource(templateOf({ environment: 'sandbox' }), 'AWS::Cognito::UserPool');

    expect(template.Resources[poolId]).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
    expect([pool['DeletionProtection'], sandbox['DeletionProtection']]).toEqual(['ACTIVE', 'INACTIVE']);
  });

  it('declares one public client that uses the authorization code flow and the callback of this service', () => {
    const [api] = singleResource(template, 'AWS::ApiGatewayV2::Api');

    expect(client).toMatchObject({
      UserPoolId: { Ref: 'ValueUserPoolId' },
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      CallbackURLs: [{ 'Fn::Join': ['', [{ 'Fn::GetAtt': [api, 'ApiEndpoint'] }, '/v1/oauth/callback']] }],
      PreventUserExistenceErrors: 'ENABLED',
      SupportedIdentityProviders: ['COGNITO'],
    });
    expect(client['ExplicitAuthFlows']).not.toContain('ALLOW_USER_PASSWORD_AUTH');
  });

  it('redirects users to the custom domain when one is configured', () => {
    const [, { CallbackURLs }] = singleResource(
      templateOf({ baseUrl: 'https://api.example.org/' }),
      'AWS::Cognito::UserPoolClient',
    );

    expect(CallbackURLs).toEqual(['https://api.example.org/v1/oauth/callback']);
  });

  it('declares managed login pages with the branding that they require', () => {
    const [, domain] = singleResource(template, 'AWS::Cognito::UserPoolDomain');
    const [, style] = singleResource(template, 'AWS::Cognito::ManagedLoginBranding');

    expect(domain).toMatchObject({ ManagedLoginVersion: 2, UserPoolId: { Ref: poolId } });
    expect(addressIn(template)({ Ref: 'ValueUserPoolId' })).toBe(`\${${poolId}}`);
    expect(domain['Domain']).toEqual({
      'Fn::Join': ['', ['inference-attribution-production-', { Ref: 'AWS::AccountId' }]],
    });
    expect(style).toMatchObject({ ClientId: { Ref: clientId }, UserPoolId: { Ref: 'ValueUserPoolId' } });
  });

  it('passes issuer and client id only to the sign-in unit and the stack outputs', () => {
    const issuer = { Ref: 'ValueUserPoolIssuer' };

    expect(addressIn(template)(issuer)).toBe(`\${${poolId}.ProviderURL}`);

    expect(oidcVariables(template)).toEqual(expectedOidcVariables(template, issuer, { Ref: clientId }));
    expect(template.Outputs).toMatchObject({
      OidcIssuer: { Value: issuer },
      OidcClientId: { Value: { Ref: clientId } },
      UserPoolId: { Value: { Ref: poolId } },
    });
  });
});

describe('a stack with an external identity provider', () => {
  const template = templateOf(EXTERNAL);

  it('declares no user pool', () => {
    const types = Object.values(template.Resources).map(({ Type }) => Type);

    expect(types.filter((type) => type.startsWith('AWS::Cognito::'))).toEqual([]);
    expect(template.Outputs).not.toHaveProperty('UserPoolId');
  });

  it('passes the configured issuer and client id on unchanged', () => {
    expect(oidcVariables(template)).toEqual(
      expectedOidcVariables(template, EXTERNAL.oidcIssuer, EXTERNAL.oidcClientId),
    );
    expect(template.Outputs).toMatchObject({
      OidcIssuer: { Value: EXTERNAL.oidcIssuer },
      OidcClientId: { Value: EXTERNAL.oidcClientId },
    });
  });

  it('accepts a plain HTTP issuer in the local environment', () => {
    const local = templateOf({ ...EXTERNAL, environment: 'local', oidcIssuer: 'http://127.0.0.1:8080' });

    expect(local.Outputs['OidcIssuer']?.Value).toBe('http://127.0.0.1:8080');
  });
});
