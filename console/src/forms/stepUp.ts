import { useEffect } from 'react';
import { AttributionError } from '../../../sdk/typescript/src/errors.ts';
import { useSession } from '../session/session.ts';
import { beginSession } from '../session/sessionApi.ts';
import { keepForm } from './pendingForm.ts';
import type { DialogState } from './useDialog.ts';

/** The age of a sign-in up to which the service accepts protected operations. */
const RECENT_SIGN_IN_SECONDS = 900;

/** Whether the service wants a more recent sign-in for a request. */
export const needsRecentSignIn = (error: unknown): boolean =>
  error instanceof AttributionError && error.code === 'STEP_UP_REQUIRED';

export const signInAgain = (): void => beginSession(RECENT_SIGN_IN_SECONDS);

interface Reading {
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/**
 * A reading in a dialog that can need a recent sign-in. The person then signs in again, and the same dialog opens. If that
 * was not enough, the retry of the reading starts another sign-in.
 */
export const useStepUp = <Of extends Reading>(dialog: DialogState, reading: Of): Of => {
  const { userId, tenant } = useSession();
  const { name, subject, pending } = dialog;
  const isTooOld = needsRecentSignIn(reading.error);
  const isFirst = pending === null;
  const signIn = (): void => {
    keepForm({ dialog: name, subject, entries: [], idempotencyKey: '', userId, tenantId: tenant.id });
    signInAgain();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it leaves the page once.
  useEffect(() => {
    if (isTooOld && isFirst) signIn();
  }, [isTooOld, isFirst]);
  return isTooOld ? { ...reading, error: isFirst ? null : reading.error, refetch: signIn } : reading;
};
