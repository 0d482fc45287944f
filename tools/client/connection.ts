import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Tenant = z.object({
  tenant_id: z.string(),
  api_keys: z.object({ admin: z.string(), ingest: z.string(), read: z.string() }),
});

/** What commands read of the file a running local instance writes. */
const InstanceCredentials = z.object({ base_url: z.url(), tenants: z.tuple([Tenant], Tenant) });
export type Credentials = z.infer<typeof InstanceCredentials>;

/** The credentials of the instance that uses a data directory; undefined when there is none. Throws on a broken file. */
export const readCredentials = (dataDir: string): Credentials | undefined => {
  const file = join(dataDir, 'credentials.json');
  if (!existsSync(file)) return undefined;
  try {
    return InstanceCredentials.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} cannot be read as credentials; restart the service to have it written again`, {
      cause: error,
    });
  }
};

/** Where to send to, and with which keys. */
export interface Connection {
  readonly baseUrl: string;
  readonly sendKey: string;
  /** May be the same key, which then may or may not read. */
  readonly readKey: string;
}

/** No instance to talk to; the message tells what to do. */
export class NoInstanceError extends Error {
  override readonly name = 'NoConnection';
}

const sameAddress = (one: string, other: string): boolean =>
  one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

/**
 * What was given wins; the rest comes from the running instance. Its keys never go to another address than its own, and
 * a tenant's read key only reads what that tenant's own key sent. Throws NoConnection.
 */
export const resolveConnection = (
  given: { readonly baseUrl?: string | undefined; readonly apiKey?: string | undefined },
  credentials: Credentials | undefined,
  dataDir: string,
): Connection => {
  const { apiKey, baseUrl = credentials?.base_url } = given;
  const own =
    credentials !== undefined && baseUrl !== undefined && sameAddress(baseUrl, credentials.base_url);
  const tenants = own ? credentials.tenants : [];
  if (baseUrl !== undefined && apiKey !== undefined) {
    const holder = tenants.find(({ api_keys }) => Object.values(api_keys).includes(apiKey));
    return { baseUrl, sendKey: apiKey, readKey: holder?.api_keys.read ?? apiKey };
  }
  const [first] = tenants;
  if (baseUrl !== undefined && first !== undefined) {
    return { baseUrl, sendKey: first.api_keys.ingest, readKey: first.api_keys.read };
  }
  throw new NoInstanceError(
    credentials === undefined
      ? `No running instance: ${dataDir} holds no credentials.json. Start one with "npm start", name its directory with --data-dir, or give both --base-url and --api-key.`
      : `The keys in ${dataDir} belong to ${credentials.base_url}. Give --api-key for ${baseUrl}.`,
  );
};
