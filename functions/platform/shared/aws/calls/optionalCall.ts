/** The limit of one attempt, and of all attempts, also throttled ones. */
const ATTEMPT_MS = 500;
const TOTAL_MS = 1_500;

/**
 * The options of a call that its caller can do without. Other calls are repeated for up to ten seconds while their table is
 * throttled. For these, that would turn a table without capacity into a service without capacity.
 */
export const optionalCall = (): { readonly requestTimeout: number; readonly abortSignal: AbortSignal } => ({
  requestTimeout: ATTEMPT_MS,
  abortSignal: AbortSignal.timeout(TOTAL_MS),
});
