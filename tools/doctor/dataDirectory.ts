import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const REMEDY = 'Name another one: npm start -- --data-dir FOLDER.';

/** The folder itself, or the nearest one above it that exists, in which it would be made. */
const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

/**
 * What to do if nothing can be stored in a data directory: the checkout is read-only or belongs to somebody else, or a file
 * has its name. Null if it can be used. Makes nothing. `access` throws if this user lacks a right.
 */
export const dataDirectoryProblem = (path: string, access = accessSync): string | null => {
  const folder = nearestExisting(resolve(path));
  if (!statSync(folder).isDirectory()) return `The data directory ${path} is a file. ${REMEDY}`;
  try {
    access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return `This user cannot write to the data directory ${path}. ${REMEDY}`;
  }
};
