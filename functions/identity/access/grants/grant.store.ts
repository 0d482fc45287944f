import * as z from 'zod';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import {
  type DocumentKey,
  deleteAndReturn,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { CLOCK_SKEW_SECONDS } from '../tokens/tokenLifetime.ts';
import { AuthorizationCode, ConsoleSignIn, Grant, Session, SignIn } from './grant.ts';

/** A used code is stored at least this long after its expiry, so that a replay is distinguished from a guess. */
const USED_CODE_RETENTION_SECONDS = DAY_SECONDS;

const hashOf = (kind: string, secret: string): string => sha256Of(kind, secret).toString('base64url');
/** Bearer secrets are stored under their hash, so reading the table reveals none of them. */
const hashedKey = (kind: string, secret: string): DocumentKey => ({ pk: `${kind}#${hashOf(kind, secret)}` });
const grantKey = (grantId: string): DocumentKey => ({ pk: `grant#${grantId}` });
const revokedTokenKey = (jti: string): DocumentKey => ({ pk: `revoked#${jti}` });

const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000);

export interface GrantReader {
  readonly grant: (grantId: string) => Promise<Grant | null>;
  /** Whether this access token was revoked individually. */
  readonly isRevoked: (jti: string) => Promise<boolean>;
}

export const grantReader = (table: string): GrantReader => ({
  grant: (grantId) => readDocument(table, grantKey(grantId), Grant),
  isRevoked: async (jti) => (await readDocument(table, revokedTokenKey(jti), z.object({}))) !== null,
});

const PendingSignIn = z.union([SignIn, ConsoleSignIn]);
type PendingSignIn = z.infer<typeof PendingSignIn>;

/** Pending sign-ins and the authorization codes they result in. */
export interface SignInStore {
  readonly put: (state: string, signIn: PendingSignIn, options: WriteOptions) => Write;
  /** Deletes a pending sign-in and returns it. Of concurrent callbacks, only one receives it. */
  readonly take: (state: string) => Promise<PendingSignIn | null>;
  readonly putCode: (code: string, value: AuthorizationCode, options: WriteOptions) => Write;
}

const writeCode = (table: string, code: string, value: AuthorizationCode, options: WriteOptions): Write =>
  writeDocument(table, hashedKey('code', code), value, {
    ...options,
    ttl: toSeconds(value.expires_at) + USED_CODE_RETENTION_SECONDS,
  });

export const signInStore = (table: string): SignInStore => ({
  put: (state, signIn, options) =>
    writeDocument(table, hashedKey('signin', state), signIn, {
      ...options,
      ttl: toSeconds(signIn.expires_at),
    }),
  take: (state) => deleteAndReturn(table, hashedKey('signin', state), PendingSignIn),
  putCode: (code, value, options) => writeCode(table, code, value, options),
});

/** Reads with revisions, and the writes of a commit. Times are epoch milliseconds. */
export interface GrantWriter {
  readonly code: (code: string) => Promise<Versioned<AuthorizationCode> | null>;
  readonly putCode: (code: string, value: AuthorizationCode, options: WriteOptions) => Write;
  readonly grant: (grantId: string) => Promise<Versioned<Grant> | null>;
  readonly putGrant: (grant: Grant, options: WriteOptions) => Write;
  /** Revokes an access token without a grant. The entry is kept until the token expires. */
  readonly revokeToken: (jti: string, expiresAt: number, options: WriteOptions) => Write;
}

export const grantWriter = (table: string): GrantWriter => ({
  code: (code) => readVersioned(table, hashedKey('code', code), AuthorizationCode),
  putCode: (code, value, options) => writeCode(table, code, value, options),
  grant: (grantId) => readVersioned(table, grantKey(grantId), Grant),
  putGrant: (grant, options) =>
    writeDocument(table, grantKey(grant.grant_id), grant, { ...options, ttl: toSeconds(grant.expires_at) }),
  revokeToken: (jti, expiresAt, options) =>
    writeDocument(
      table,
      revokedTokenKey(jti),
      {},
      { ...options, ttl: toSeconds(expiresAt) + CLOCK_SKEW_SECONDS },
    ),
});

/** The id of a session: the hash of its cookie. */
export const sessionIdOf = (secret: string): string => hashOf('session', secret);
const sessionKey = (sessionId: string): DocumentKey => ({ pk: `session#${sessionId}` });

/** Sessions of the console, by id. */
export interface SessionWriter {
  readonly session: (sessionId: string) => Promise<Versioned<Session> | null>;
  readonly putSession: (sessionId: string, session: Session, options: WriteOptions) => Write;
}

export interface SessionStore extends SessionWriter {
  /** Deletes a session and returns it. */
  readonly takeSession: (sessionId: string) => Promise<Session | null>;
}

export const sessionStore = (table: string): SessionStore => ({
  session: (sessionId) => readVersioned(table, sessionKey(sessionId), Session),
  putSession: (sessionId, session, options) =>
    writeDocument(table, sessionKey(sessionId), session, { ...options, ttl: toSeconds(session.expires_at) }),
  takeSession: (sessionId) => deleteAndReturn(table, sessionKey(sessionId), Session),
});
