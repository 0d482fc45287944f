import type { CallAt } from '../../audit/openOccasion.ts';
import type { AuditLog } from '../../audit/store.ts';
import type { TokenContent } from '../accessToken.ts';
import type { OAuthClient } from '../client.ts';
import type { GrantWriter } from '../grant.store.ts';
import type { Random } from '../secret.ts';
import type { CredentialReader } from '../store.ts';
import type { Form } from '../tokenRequest.ts';

/** A token request of a client that has proved itself and may use this grant type. */
export interface TokenCall {
  readonly form: Form;
  readonly client: OAuthClient;
  readonly call: CallAt;
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
export interface Offer {
  readonly content: TokenContent;
  readonly refreshToken?: string;
  readonly settle: () => Promise<void>;
}
