import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Template } from '../../lib/synthesise.ts';
import { units } from '../../schemas/routes/route.ts';
import { functionId, resourcesOf, templateOf } from './stack.ts';

const OWN = { oidcIssuer: 'https://login.example.org/realms/staff', oidcClientId: 'the-service' };

const only = (template: Template, type: string): [string, Record<string, unknown>] => {
  const [found, ...others] = resourcesOf(template, type, z.record(z.string(), z.unknown()));
  if (found === undefined || others.length > 0) throw new Error(`${others.length} more of ${type}`);
  return found;
};

/** By function, what it is told of the provider; functions that are told nothing are left out. */
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
    variables.filter(([, found]) => found.length > 0).map(([id, found]) => [id, Object.fromEntries(found)]),
  );
};

const onlySignIn = (template: Template, issuer: unknown, clientId: unknown) =>
  Object.fromEntries(
    units
      .filter((unit: string) => unit === 'signIn')
      .map((unit) => [
        functionId(template, 'Units', unit),
        { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId },
      ]),
  );

describe('a stack without a provider of its own', () => {
  const template = templateOf({});
  const [poolId, pool] = only(template, 'AWS::Cognito::UserPool');
  const [clientId, client] = only(template, 'AWS::Cognito::UserPoolClient');

  it('lets nobody sign up, and tells users by a proven e-mail in any case', () => {
    expect(pool).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ['email'],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    });
  });

  it('offers an authenticator app as a second factor, never a text message', () => {
    expect(pool).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
    expect(pool).not.toHaveProperty('SmsConfiguration');
  });

  it('protects its users from a mistaken delete in production alone', () => {
    const [, sandbox] = only(templateOf({ environment: 'sandbox' }), 'AWS::Cognito::UserPool');

    expect(template.Resources[poolId]).toMatchObject({ DeletionPolicy: 'Retain' });
    expect([pool['DeletionProtection'], sandbox['DeletionProtection']]).toEqual(['ACTIVE', 'INACTIVE']);
  });

  it('admits this service only, as a public client that takes a code to its callback', () => {
    const [api] = only(template, 'AWS::ApiGatewayV2::Api');

    expect(client).toMatchObject({
      UserPoolId: { Ref: poolId },
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      CallbackURLs: [{ 'Fn::Join': ['', [{ 'Fn::GetAtt': [api, 'ApiEndpoint'] }, '/v1/oauth/callback']] }],
      PreventUserExistenceErrors: 'ENABLED',
      SupportedIdentityProviders: ['COGNITO'],
    });
    expect(client['ExplicitAuthFlows']).not.toContain('ALLOW_USER_PASSWORD_AUTH');
  });

  it('sends users back to the custom domain where there is one', () => {
    const [, { CallbackURLs }] = only(
      templateOf({ baseUrl: 'https://api.example.org/' }),
      'AWS::Cognito::UserPoolClient',
    );

    expect(CallbackURLs).toEqual(['https://api.example.org/v1/oauth/callback']);
  });

  it('shows pages that can ask for a fresh sign-in, in a style, without which they show none', () => {
    const [, domain] = only(template, 'AWS::Cognito::UserPoolDomain');
    const [, style] = only(template, 'AWS::Cognito::ManagedLoginBranding');

    expect(domain).toMatchObject({ ManagedLoginVersion: 2, UserPoolId: { Ref: poolId } });
    expect(domain['Domain']).toEqual({
      'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, '-', { Ref: 'AWS::AccountId' }]],
    });
    expect(style).toMatchObject({ ClientId: { Ref: clientId }, UserPoolId: { Ref: poolId } });
  });

  it('tells operators and the unit that signs in where users do, and no other unit', () => {
    const issuer = { 'Fn::GetAtt': [poolId, 'ProviderURL'] };

    expect(oidcVariables(template)).toEqual(onlySignIn(template, issuer, { Ref: clientId }));
    expect(template.Outputs).toMatchObject({
      OidcIssuer: { Value: issuer },
      OidcClientId: { Value: { Ref: clientId } },
      UserPoolId: { Value: { Ref: poolId } },
    });
  });
});

describe('a stack with a provider of its own', () => {
  const template = templateOf(OWN);

  it('declares no user pool', () => {
    const types = Object.values(template.Resources).map(({ Type }) => Type);

    expect(types.filter((type) => type.startsWith('AWS::Cognito::'))).toEqual([]);
    expect(template.Outputs).not.toHaveProperty('UserPoolId');
  });

  it('takes issuer and client as they are given', () => {
    expect(oidcVariables(template)).toEqual(onlySignIn(template, OWN.oidcIssuer, OWN.oidcClientId));
    expect(template.Outputs).toMatchObject({
      OidcIssuer: { Value: OWN.oidcIssuer },
      OidcClientId: { Value: OWN.oidcClientId },
    });
  });

  it('may have it without a certificate on one machine', () => {
    const local = templateOf({ ...OWN, environment: 'local', oidcIssuer: 'http://127.0.0.1:8080' });

    expect(local.Outputs['OidcIssuer']?.Value).toBe('http://127.0.0.1:8080');
  });
});
