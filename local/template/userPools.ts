import * as z from 'zod';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';
import { describeResource, TemplateError } from './template.ts';

/** Rules for passwords, mail and devices hold where users manage their accounts, which nobody does here. */
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

/** The embedded provider has an address already. */
const Domain = z.strictObject({ Domain: ignored, ManagedLoginVersion: ignored, UserPoolId: z.string() });

/** A public client: it proves itself by PKCE alone. */
export interface ClientDeclaration {
  id: string;
  redirectUris: string[];
  scopes: string[];
}

export interface UserPoolDeclaration {
  id: string;
  clients: ClientDeclaration[];
}

/** The user pool of the template. Throws a TemplateError where there is more than one: there is one provider. */
export function readUserPool(reading: ResolvedTemplate): UserPoolDeclaration | undefined {
  const [found, second] = resourcesOfType(reading, 'AWS::Cognito::UserPool', UserPool);
  if (second)
    throw new TemplateError(
      `${describeResource(second.logicalId, second.resource.Type)}: one user pool can be run`,
    );
  resourcesOfType(reading, 'AWS::Cognito::UserPoolDomain', Domain);
  const clients = resourcesOfType(reading, 'AWS::Cognito::UserPoolClient', Client).map(
    ({ identity, properties }) => ({
      id: identity.ref,
      redirectUris: properties.CallbackURLs,
      scopes: properties.AllowedOAuthScopes,
    }),
  );
  return found && { id: found.identity.ref, clients };
}
