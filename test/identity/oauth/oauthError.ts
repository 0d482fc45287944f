import { ProblemError } from '../../../functions/platform/shared/problem.ts';

const nameOf = (error: unknown): string | undefined => {
  if (error instanceof ProblemError) return String(error.options.members?.['error'] ?? error.code);
  throw error;
};

/** The RFC 6749 error of a thrown problem, or its error code if it has none. */
export const errorOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return nameOf(error);
  }
};

export const errorOfAsync = (act: () => Promise<unknown>): Promise<string | undefined> =>
  act().then(() => undefined, nameOf);
