import { describe, expect, test } from 'vitest';
import { embeddedLocations } from '../../../local/engines/engines.ts';
import { readStack } from '../../../local/template/stack.ts';
import { Template } from '../../../local/template/template.ts';
import { api } from './api.ts';

const ISSUER = 'http://127.0.0.1:4000';

const read = (Resources: Record<string, object>, Outputs: object = {}) =>
  readStack(
    Template.parse({ Resources, Outputs }),
    '/nowhere',
    embeddedLocations('http://gateway', 'http://queues', ISSUER),
  );

const POOL = {
  Type: 'AWS::Cognito::UserPool',
  Properties: {
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    UsernameAttributes: ['email'],
    UsernameConfiguration: { CaseSensitive: false },
    Policies: { PasswordPolicy: { MinimumLength: 12 } },
    MfaConfiguration: 'OPTIONAL',
  },
};
const API = api({});
const callback = { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, '/callback']] };
const CLIENT = {
  Type: 'AWS::Cognito::UserPoolClient',
  Properties: {
    UserPoolId: { Ref: 'Pool' },
    AllowedOAuthFlows: ['code'],
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthScopes: ['openid', 'email'],
    CallbackURLs: [callback],
    GenerateSecret: false,
    IdTokenValidity: 5,
  },
};
const DOMAIN = {
  Type: 'AWS::Cognito::UserPoolDomain',
  Properties: { Domain: 'a-prefix', UserPoolId: { Ref: 'Pool' }, ManagedLoginVersion: 2 },
};

const changed = (resource: typeof POOL | typeof CLIENT, properties: object) => ({
  ...resource,
  Properties: { ...resource.Properties, ...properties },
});

describe('a user pool', () => {
  test('becomes the embedded identity provider with its clients', () => {
    const { userPool } = read({ Pool: POOL, Client: CLIENT, Domain: DOMAIN, Api: API });

    expect(userPool?.clients).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{26}$/),
        redirectUris: ['http://gateway/callback'],
        signOutUris: [],
        scopes: ['openid', 'email'],
      },
    ]);
  });

  test('resolves references to its local ids and addresses', () => {
    const { outputs, userPool } = read(
      { Pool: POOL, Client: CLIENT, Api: API },
      {
        pool: { Value: { Ref: 'Pool' } },
        sameId: { Value: { 'Fn::GetAtt': ['Pool', 'UserPoolId'] } },
        arn: { Value: { 'Fn::GetAtt': ['Pool', 'Arn'] } },
        url: { Value: { 'Fn::GetAtt': ['Pool', 'ProviderURL'] } },
        name: { Value: { 'Fn::GetAtt': ['Pool', 'ProviderName'] } },
        client: { Value: { Ref: 'Client' } },
        clientId: { Value: { 'Fn::GetAtt': ['Client', 'ClientId'] } },
      },
    );
    const [client] = userPool?.clients ?? [];

    expect(userPool?.id).toMatch(/^us-east-1_[0-9a-f]{9}$/);
    expect(outputs).toEqual({
      pool: userPool?.id,
      sameId: userPool?.id,
      arn: `arn:aws:cognito-idp:us-east-1:000000000000:userpool/${userPool?.id}`,
      url: ISSUER,
      name: '127.0.0.1:4000',
      client: client?.id,
      clientId: client?.id,
    });
  });

  test('throws for the secret of a public client', () => {
    const secret = { secret: { Value: { 'Fn::GetAtt': ['Client', 'ClientSecret'] } } };

    expect(() => read({ Pool: POOL, Client: CLIENT, Api: API }, secret)).toThrow(/Client .*ClientSecret/);
  });

  test('is undefined when the template declares none', () => {
    expect(read({ Api: API }).userPool).toBeUndefined();
  });

  test.each([
    ['sign-up', changed(POOL, { AdminCreateUserConfig: { AllowAdminCreateUserOnly: false } }), /AllowAdmin/],
    ['a compulsory second factor', changed(POOL, { MfaConfiguration: 'ON' }), /MfaConfiguration/],
    ['triggers', changed(POOL, { LambdaConfig: {} }), /LambdaConfig/],
    ['a client secret', changed(CLIENT, { GenerateSecret: true }), /GenerateSecret/],
    ['the implicit flow', changed(CLIENT, { AllowedOAuthFlows: ['implicit'] }), /AllowedOAuthFlows/],
    ['other scopes', changed(CLIENT, { AllowedOAuthScopes: ['phone'] }), /AllowedOAuthScopes/],
    ['federation', changed(CLIENT, { SupportedIdentityProviders: ['Google'] }), /SupportedIdentityProviders/],
  ])('throws for %s, which the provider does not support', (_case, resource, message) => {
    expect(() => read({ Pool: POOL, Api: API, It: resource })).toThrow(message);
  });

  test('throws for a second user pool, because there is one provider', () => {
    expect(() => read({ One: POOL, Two: POOL })).toThrow(/Two .*one user pool/);
  });
});
