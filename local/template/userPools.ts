import * as z from 'zod';
import { ignored, onlyResourceOfType, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

/** Password, e-mail and device rules have no effect, because users cannot manage accounts in the local provider. */
const UserPool = z.strictObject({
  AccountRecoverySetting: ignored,
  AdminCreateUserConfig: z.strictObject({ AllowAdminCreateUserOnly: z.literal(true) }),
  AutoVerifiedAttributes: ignored,
  DeletionProtection: ignored,
  EmailConfiguration: ignored,
  EmailVerificationMessage: ignored,
  EmailVerificationSubject: ignored,
  EnabledMfas: ignored,
  MfaConfiguration: z.enum(['OFF', 'OPTIONAL']).optional(),
  Policies: ignored,
  Schema: ignored,
  SmsVerificationMessage: ignored,
  UserAttributeUpdateSettings: ignored,
  UserPoolName: ignored,
  UserPoolTags: ignored,
  UserPoolTier: ignored,
  UsernameAttributes: z.tuple([z.literal('email')]),
  UsernameConfiguration: z.strictObject({ CaseSensitive: z.literal(false) }),
  VerificationMessageTemplate: ignored,
});

const Client = z.strictObject({
  UserPoolId: z.string(),
  AllowedOAuthFlows: z.tuple([z.literal('code')]),
  AllowedOAuthFlowsUserPoolClient: z.literal(true),
  AllowedOAuthScopes: z.array(z.enum(['openid', 'email'])),
  CallbackURLs: z.array(z.url()).min(1),
  LogoutURLs: z.array(z.url()).default([]),
  GenerateSecret: z.literal(false).optional(),
  SupportedIdentityProviders: z.tuple([z.literal('COGNITO')]).optional(),
  AccessTokenValidity: ignored,
  AuthSessionValidity: ignored,
  ClientName: ignored,
  EnableTokenRevocation: ignored,
  ExplicitAuthFlows: ignored,
  IdTokenValidity: ignored,
  PreventUserExistenceErrors: ignored,
  RefreshTokenValidity: ignored,
  TokenValidityUnits: ignored,
});

/** Ignored: the embedded provider already has an address. */
const Domain = z.strictObject({ Domain: ignored, ManagedLoginVersion: ignored, UserPoolId: z.string() });

/** A public OAuth client, protected by PKCE. */
export interface ClientDeclaration {
  id: string;
  redirectUris: string[];
  /** Where the provider may return to after a sign-out. */
  signOutUris: string[];
  scopes: string[];
}

export interface UserPoolDeclaration {
  id: string;
  clients: ClientDeclaration[];
}

/** The user pool of the template. Throws a TemplateError if there are several, because there is one provider. */
export function readUserPool(template: ResolvedTemplate): UserPoolDeclaration | undefined {
  const pool = onlyResourceOfType(template, 'AWS::Cognito::UserPool', UserPool, 'user pool');
  resourcesOfType(template, 'AWS::Cognito::UserPoolDomain', Domain);
  const clients = resourcesOfType(template, 'AWS::Cognito::UserPoolClient', Client).map(
    ({ identity, properties }) => ({
      id: identity.ref,
      redirectUris: properties.CallbackURLs,
      signOutUris: properties.LogoutURLs,
      scopes: properties.AllowedOAuthScopes,
    }),
  );
  return pool && { id: pool.identity.ref, clients };
}
