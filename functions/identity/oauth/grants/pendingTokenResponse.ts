import type { TokenContent } from '../../access/accessToken.ts';
import type { OAuthClient } from '../../access/client.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import type { GrantWriter } from '../../access/grant.store.ts';
import type { Random } from '../../access/secret.ts';
import type { AuditLog } from '../../audit/audit.store.ts';
import type { CallInfo } from '../../audit/auditContext.ts';
import type { Form } from '../token/tokenRequest.ts';

/** A token request of an authenticated client that may use this grant type. */
export interface TokenRequest {
  readonly form: Form;
  readonly client: OAuthClient;
  readonly call: CallInfo;
  readonly random: Random;
  readonly stores: {
    readonly credentials: Pick<CredentialReader, 'user'>;
    readonly grantWriter: GrantWriter;
    readonly audit: AuditLog;
  };
}

/**
 * The prepared response of a token request. `commit` runs after the access token is signed and before the response is
 * sent. If signing or a store fails, the client keeps a valid code or refresh token.
 */
export interface PendingTokenResponse {
  readonly content: TokenContent;
  readonly refreshToken?: string;
  readonly commit: () => Promise<void>;
}
