import * as z from 'zod';

/** The text of an error for an operator, without a stack trace. */
export const errorText = (error: unknown): string => {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
};
