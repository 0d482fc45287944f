import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailed } from './faults.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How the command authenticates at one service. */
export type StoredCredential = { readonly api_key: string } | SignedIn;

/** The tokens of a user who signed in with a browser. */
export interface SignedIn {
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
  /** Of the access token. */
  readonly expires_at: string;
}

interface Profiles {
  /** The service of the last login. */
  readonly current: string | null;
  /** A credential for each base URL, so that none is ever sent to another service. */
  readonly services: Readonly<Record<string, StoredCredential>>;
}

const NONE: Profiles = { current: null, services: {} };

/** Where the credentials are, by the XDG Base Directory Specification. */
export const profilePath = (env: Environment): string =>
  join(
    env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'),
    'attribution',
    'credentials.json',
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCredential = (value: unknown): value is StoredCredential =>
  isRecord(value) &&
  (typeof value['api_key'] === 'string' ||
    ['client_id', 'access_token', 'refresh_token', 'expires_at'].every(
      (name) => typeof value[name] === 'string',
    ));

const parse = (text: string): Profiles | null => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !isRecord(value['services'])) return null;
    const services: Record<string, StoredCredential> = {};
    for (const [baseUrl, credential] of Object.entries(value['services'])) {
      if (!isCredential(credential)) return null;
      services[baseUrl] = credential;
    }
    return { current: typeof value['current'] === 'string' ? value['current'] : null, services };
  } catch {
    return null;
  }
};

const isMissing = (error: unknown): boolean => isRecord(error) && error['code'] === 'ENOENT';

export const readProfiles = (env: Environment): Profiles => {
  const path = profilePath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return NONE;
    throw error;
  }
  const profiles = parse(text);
  if (profiles === null) throw new CommandFailed(`${path} is not valid. Delete it and log in again.`);
  return profiles;
};

/** Replaces the file at once, so that a killed process leaves the old or the new one. Only its owner can read it. */
const writeProfiles = (env: Environment, profiles: Profiles): void => {
  const path = profilePath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  try {
    writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flush: true });
    // The mode of an existing file does not change when it is written.
    chmodSync(next, 0o600);
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true });
  }
};

/** Stores the credential of a login, whose service becomes the default one. */
export const saveCredential = (env: Environment, baseUrl: string, credential: StoredCredential): void => {
  const { services } = readProfiles(env);
  writeProfiles(env, { current: baseUrl, services: { ...services, [baseUrl]: credential } });
};

/** Stores renewed tokens. The default service stays. */
export const replaceCredential = (env: Environment, baseUrl: string, credential: StoredCredential): void => {
  const { current, services } = readProfiles(env);
  writeProfiles(env, { current, services: { ...services, [baseUrl]: credential } });
};

/** Forgets the credential of a service. False if there was none. */
export const deleteCredential = (env: Environment, baseUrl: string): boolean => {
  const { current, services } = readProfiles(env);
  const { [baseUrl]: removed, ...others } = services;
  if (removed === undefined) return false;
  writeProfiles(env, {
    current: current === baseUrl ? (Object.keys(others)[0] ?? null) : current,
    services: others,
  });
  return true;
};
