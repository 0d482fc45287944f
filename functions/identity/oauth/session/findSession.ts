import type { Versioned } from '../../../platform/shared/aws/document.store.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { settings } from '../../../platform/shared/settings.ts';
import type { GrantWriter, SessionWriter } from '../../access/grants/grant.store.ts';
import type { Grant, Session } from '../../access/grants/grant.ts';
import { readSessionId } from './sessionCookie.ts';

export interface SessionStores {
  readonly sessions: SessionWriter;
  readonly grantWriter: GrantWriter;
}

/** A session of a browser with the grant of its tenant. */
export interface FoundSession {
  readonly id: string;
  readonly session: Session;
  /** Null until a tenant is chosen. */
  readonly grant: Grant | null;
}

/**
 * The session with this id at `now` (epoch milliseconds). Null if it has expired, was replaced, or its grant was revoked.
 */
export const findSession = async (
  id: string,
  now: number,
  { sessions, grantWriter }: SessionStores,
): Promise<FoundSession | null> => {
  const session = (await sessions.session(id))?.document;
  if (session === undefined || session.expires_at <= now) return null;
  if (session.grant_id === null) return { id, session, grant: null };
  const stored: Versioned<Grant> | null = await grantWriter.grant(session.grant_id);
  return stored === null || stored.document.revoked_at !== null
    ? null
    : { id, session, grant: stored.document };
};

/** The session of a request. Throws INVALID_CREDENTIALS if its browser is not signed in. */
export const requireSession = async (
  { cookies, receivedAt }: { readonly cookies: readonly string[]; readonly receivedAt: number },
  stores: SessionStores,
): Promise<FoundSession> => {
  const id = readSessionId(cookies, settings.BASE_URL);
  const found = id === null ? null : await findSession(id, receivedAt, stores);
  if (found !== null) return found;
  throw new ProblemError('INVALID_CREDENTIALS', 'This browser is not signed in, or its session has ended.', {
    headers: { 'www-authenticate': 'Bearer' },
    members: { reason: 'no_credential' },
  });
};
