import { randomBytes, randomUUID, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { oidcFiles, readJsonFile, writeJsonFile } from './oidcFiles.ts';

/** What the scrypt paper proposes for an interactive sign-in: 16 MiB, and tens of milliseconds. */
const COST: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

const PasswordHash = z.strictObject({ salt: z.base64(), hash: z.base64() });
type PasswordHash = z.output<typeof PasswordHash>;

/** Users by their e-mail address in lower case. The id is their `sub`; it outlives a change of password. */
const Users = z.record(z.string(), z.strictObject({ id: z.uuid(), password: PasswordHash }));

export interface User {
  id: string;
  email: string;
}

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // One password typed on two keyboards may arrive in two compositions.
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });

const hashPassword = async (password: string): Promise<PasswordHash> => {
  const salt = randomBytes(16);
  return { salt: salt.toString('base64'), hash: (await derive(password, salt)).toString('base64') };
};

const verifyPassword = async (password: string, { salt, hash }: PasswordHash): Promise<boolean> =>
  timingSafeEqual(await derive(password, Buffer.from(salt, 'base64')), Buffer.from(hash, 'base64'));

/** Nobody's password, so that an unknown address takes as long as a known one. */
const DUMMY_HASH: PasswordHash = {
  salt: randomBytes(16).toString('base64'),
  hash: randomBytes(HASH_BYTES).toString('base64'),
};

const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** The users a provider knows. The file is read anew each time: users may be added while it runs. */
export const openUsers = (file: string) => {
  const all = () => readJsonFile(file, Users) ?? {};
  return {
    /** The user with this address and password, or null. */
    async authenticate(email: string, password: string): Promise<User | null> {
      const found = all()[normalizeEmail(email)];
      const right = await verifyPassword(password, found?.password ?? DUMMY_HASH);
      return found && right ? { id: found.id, email: normalizeEmail(email) } : null;
    },
    find(id: string): User | null {
      const entry = Object.entries(all()).find(([, user]) => user.id === id);
      return entry ? { id, email: entry[0] } : null;
    },
  };
};
export type UserDirectory = ReturnType<typeof openUsers>;

/** Lets a user sign in at the embedded provider of a data directory: adds them, or gives them this password. */
export async function registerUser(
  dataDir: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const file = oidcFiles(dataDir).users;
  if (await openUsers(file).authenticate(email, password)) return;
  const entry = await hashPassword(password);
  // Read after the wait, and written without another: users registered side by side lose none.
  const users = readJsonFile(file, Users) ?? {};
  const key = normalizeEmail(email);
  writeJsonFile(file, { ...users, [key]: { id: users[key]?.id ?? randomUUID(), password: entry } });
}
