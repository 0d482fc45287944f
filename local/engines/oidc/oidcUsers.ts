import { randomBytes, randomUUID, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../jsonFile.ts';
import { oidcFiles } from './oidcFiles.ts';

/** Parameters the scrypt paper proposes for interactive logins: 16 MiB and tens of milliseconds. */
const COST: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

const PasswordHash = z.strictObject({ salt: z.base64(), hash: z.base64() });
type PasswordHash = z.output<typeof PasswordHash>;

/** Users by lower-case e-mail address. The id is the `sub` claim. It stays when the password changes. */
const Users = z.record(
  z.string(),
  z.strictObject({
    id: z.uuid(),
    password: PasswordHash.optional(),
    /** How the sign-in page names a demo user, whom it offers without a password. */
    demo: z.string().optional(),
    /** The person was invited and has the temporary password. */
    invited: z.literal(true).optional(),
  }),
);

export interface User {
  id: string;
  email: string;
}

/** A user that anybody on this machine may sign in as. */
export interface DemoUser {
  email: string;
  name: string;
}

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Keyboards may send the same characters in different Unicode forms.
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

/** A hash that no password matches. Verifying it makes unknown addresses take as long as known ones. */
const DUMMY_HASH: PasswordHash = {
  salt: randomBytes(16).toString('base64'),
  hash: randomBytes(HASH_BYTES).toString('base64'),
};

const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** The users of a provider. Each call reads the file again, because users may be added at runtime. */
export const openUsers = (file: string) => {
  const all = () => readJsonFile(file, Users) ?? {};
  return {
    /** Returns the user with this address and password, or null. */
    async authenticate(email: string, password: string): Promise<User | null> {
      const user = all()[normalizeEmail(email)];
      const isValid = await verifyPassword(password, user?.password ?? DUMMY_HASH);
      return user && isValid ? { id: user.id, email: normalizeEmail(email) } : null;
    },
    /** The demo users, in the order of their registration. */
    demoUsers: (): DemoUser[] =>
      Object.entries(all()).flatMap(([email, { demo }]) =>
        demo === undefined ? [] : [{ email, name: demo }],
      ),
    /** Returns the demo user with this address, or null. */
    findDemoUser(email: string): User | null {
      const user = all()[normalizeEmail(email)];
      return user?.demo === undefined ? null : { id: user.id, email: normalizeEmail(email) };
    },
    /** Whether the provider knows an address, and whether the person still has the password of the invitation. */
    state(email: string): 'unknown' | 'invited' | 'confirmed' {
      const user = all()[normalizeEmail(email)];
      if (user === undefined) return 'unknown';
      return user.invited === true ? 'invited' : 'confirmed';
    },
    find(id: string): User | null {
      const entry = Object.entries(all()).find(([, user]) => user.id === id);
      return entry ? { id, email: entry[0] } : null;
    },
  };
};
export type UserDirectory = ReturnType<typeof openUsers>;

/** Adds a user to the embedded provider of a data directory, or changes the user's password. */
export async function registerUser(
  dataDir: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const file = oidcFiles(dataDir).users;
  if (await openUsers(file).authenticate(email, password)) return;
  changeUser(file, email, { password: await hashPassword(password) });
}

/** Adds a user with a temporary password, or replaces it. */
export async function inviteUser(
  dataDir: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const invitation = { password: await hashPassword(password), invited: true } as const;
  changeUser(oidcFiles(dataDir).users, email, invitation);
}

/** Offers a user on the sign-in page without a password. For demo tenants only. */
export const registerDemoUser = (dataDir: string, { email, name }: DemoUser): void =>
  changeUser(oidcFiles(dataDir).users, email, { demo: name });

/** Not asynchronous between read and write, so concurrent registrations do not overwrite each other. */
const changeUser = (
  file: string,
  email: string,
  change: { password?: PasswordHash; demo?: string; invited?: true },
): void => {
  const users = readJsonFile(file, Users) ?? {};
  const key = normalizeEmail(email);
  writeJsonFile(file, { ...users, [key]: { id: randomUUID(), ...users[key], ...change } });
};
