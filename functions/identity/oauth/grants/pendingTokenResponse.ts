import type { GrantWriter } from '../../access/grants/grant.store.ts';
import type { OAuthClient } from '../../access/principals/client.ts';
import type { CredentialReader } from '../../access/principals/credential.store.ts';
import type { Random } from '../../access/principals/secret.ts';
import type { TokenContent } from '../../access/tokens/accessToken.ts';
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
