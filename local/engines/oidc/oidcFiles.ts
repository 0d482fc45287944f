import { join } from 'node:path';

/** The files of the embedded provider in a data directory. Only the owner can read them. */
export const oidcFiles = (dataDir: string) => {
  const directory = join(dataDir, 'identity-provider');
  return {
    port: join(directory, 'port.json'),
    keys: join(directory, 'keys.json'),
    users: join(directory, 'users.json'),
  };
};
