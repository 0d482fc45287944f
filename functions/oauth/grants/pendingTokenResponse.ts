import type { TokenContent } from '../../access/accessToken.ts';
import type { OAuthClient } from '../../access/client.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import type { GrantWriter } from '../../access/grant.store.ts';
import type { Random } from '../../access/secret.ts';
import type { AuditLog } from '../../audit/audit.store.ts';
import type { CallInfo } from '../../audit/auditContext.ts';
import type { Form } from '../token/tokenRequest.ts';

/** A token request of a client that has proved itself and may use this grant type. */
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
 * What a token request will get. Nothing is written before the access token is signed, and nothing is answered before
 * `settle` has written: a signer or a store that fails costs nobody their code or refresh token.
 */
export interface PendingTokenResponse {
  readonly content: TokenContent;
  readonly refreshToken?: string;
  readonly commit: () => Promise<void>;
}
