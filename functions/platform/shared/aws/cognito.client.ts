import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';

export const cognito = new CognitoIdentityProviderClient({ requestHandler, maxAttempts: 3 });
publishCalls(cognito.middlewareStack, 'cognito-idp');

export {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
