import * as z from 'zod';
import { DAY_SECONDS } from '../../../schemas/durations.ts';

/** The file beside the console's files that lists them. */
export const FILE_LIST = 'files.json';

/** The files of the built console by path, as the build wrote them. */
export const ConsoleFiles = z.record(
  z.string(),
  z.object({
    contentType: z.string(),
    /** Base64url SHA-256 of the content. */
    digest: z.string(),
    /** Whether the build also wrote the file with the extensions `.br` and `.gz`. */
    isCompressed: z.boolean(),
  }),
);
export type ConsoleFiles = z.infer<typeof ConsoleFiles>;

const INDEX = 'index.html';
const YEAR_SECONDS = 365 * DAY_SECONDS;

/**
 * The file for a path below `/console`. A path whose last segment has no dot is a page, which the index file renders. Null
 * for any other path that is not in the list, so a request never selects a file of the function.
 */
export const findFile = (path: string, files: ConsoleFiles): string | null => {
  const name = path.replace(/^\/console\/?/, '');
  if (Object.hasOwn(files, name)) return name;
  return name.split('/').at(-1)?.includes('.') ? null : INDEX;
};

/** Built files below `assets/` have the hash of their content in their names. All others can change with a deployment. */
export const cacheControlOf = (name: string): string =>
  name.startsWith('assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache';
