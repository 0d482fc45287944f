import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  AttributionError,
  createClient,
  issueToken,
  type TokenResponse,
} from '../../typescript/src/index.ts';
import { CommandFailed, NotLoggedIn } from './faults.ts';
import { profilePath, readProfiles, replaceCredential, type SignedIn } from './profiles.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A token is renewed this long before its end, so that it is still valid when the request arrives. */
const MARGIN_MS = 30_000;
const LOCK_WAIT_MS = 50;
/** Longer than a renewal takes. An older lock is left from a killed process. */
const LOCK_MS_MAXIMUM = 60_000;

/** A client for the OAuth endpoints, which authenticate by members of the body. */
export const anonymous = (baseUrl: string) => createClient({ baseUrl, credential: { anonymous: true } });

export const storedTokens = (clientId: string, answer: TokenResponse, now: number): SignedIn => {
  if (answer.refresh_token === undefined)
    throw new CommandFailed('The client of the sign-in must have the grant type refresh_token.');
  return {
    client_id: clientId,
    access_token: answer.access_token,
    refresh_token: answer.refresh_token,
    expires_at: new Date(now + answer.expires_in * 1_000).toISOString(),
  };
};

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

const lockAge = (path: string, now: number): number => {
  try {
    return now - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
};

/** A refresh token works once, and its second use ends the session. So one process renews, and the others wait for it. */
const withLock = async <Result>(env: Environment, action: () => Promise<Result>): Promise<Result> => {
  const path = `${profilePath(env)}.lock`;
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
      break;
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (lockAge(path, Date.now()) > LOCK_MS_MAXIMUM) rmSync(path, { force: true });
      else await wait(LOCK_WAIT_MS);
    }
  }
  try {
    return await action();
  } finally {
    rmSync(path, { force: true });
  }
};

/** The access token of the sign-in at a service, renewed when it is about to end. */
export const accessToken = async (env: Environment, baseUrl: string, now: () => number): Promise<string> => {
  const current = (): SignedIn => {
    const credential = readProfiles(env).services[baseUrl];
    if (credential === undefined || 'api_key' in credential)
      throw new NotLoggedIn(`The sign-in at ${baseUrl} has ended. Log in again.`);
    return credential;
  };
  const isValid = ({ expires_at }: SignedIn): boolean => now() < Date.parse(expires_at) - MARGIN_MS;
  const found = current();
  if (isValid(found)) return found.access_token;
  return withLock(env, async () => {
    // Another process may have renewed it already.
    const latest = current();
    if (isValid(latest)) return latest.access_token;
    const { client_id, refresh_token } = latest;
    try {
      const answer = await issueToken(anonymous(baseUrl), {
        grant_type: 'refresh_token',
        client_id,
        refresh_token,
      });
      const renewed = storedTokens(client_id, answer, now());
      replaceCredential(env, baseUrl, renewed);
      return renewed.access_token;
    } catch (error) {
      if (error instanceof AttributionError && error.status < 500 && error.status !== 429)
        throw new NotLoggedIn(`The sign-in at ${baseUrl} has ended. Log in again.`);
      throw error;
    }
  });
};
