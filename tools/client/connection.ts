import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Tenant = z.object({
  tenant_id: z.string(),
  api_keys: z.object({ admin: z.string(), ingest: z.string(), read: z.string() }),
});

/** The part of `credentials.json` that the commands read. A local instance writes that file. */
const InstanceCredentials = z.object({ base_url: z.url(), tenants: z.tuple([Tenant], Tenant) });
export type Credentials = z.infer<typeof InstanceCredentials>;

/** The credentials of the instance with this data directory. Undefined if it has none. Throws if the file is invalid. */
export const readCredentials = (dataDir: string): Credentials | undefined => {
  const file = join(dataDir, 'credentials.json');
  if (!existsSync(file)) return undefined;
  try {
    return InstanceCredentials.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is not a valid credentials file. Restart the service to write it again.`, {
      cause: error,
    });
  }
};

/** The address of a service and the API keys to use. */
export interface Connection {
  readonly baseUrl: string;
  readonly sendKey: string;
  /** May be the same key. It may lack the permission to read. */
  readonly readKey: string;
}

/** There is no instance to connect to. The message says what to do. */
export class NoInstanceError extends Error {
  override readonly name = 'NoInstanceError';
}

const sameAddress = (one: string, other: string): boolean =>
  one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

/**
 * Given options win over the running instance. The keys of the instance are sent only to its own address, and a read key
 * is used only with a sending key of the same tenant. Throws NoInstanceError.
 */
export const resolveConnection = (
  given: { readonly baseUrl?: string | undefined; readonly apiKey?: string | undefined },
  credentials: Credentials | undefined,
  dataDir: string,
): Connection => {
  const { apiKey, baseUrl = credentials?.base_url } = given;
  const isOwnAddress =
    credentials !== undefined && baseUrl !== undefined && sameAddress(baseUrl, credentials.base_url);
  const tenants = isOwnAddress ? credentials.tenants : [];
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
      ? `No instance found: ${dataDir} has no credentials.json. Start one with "npm start", set its data directory with --data-dir, or set both --base-url and --api-key.`
      : `The API keys in ${dataDir} belong to ${credentials.base_url}. Set --api-key for ${baseUrl}.`,
  );
};
