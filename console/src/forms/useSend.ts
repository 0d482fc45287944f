import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { CallOptions, Client } from '../../../sdk/typescript/src/client.ts';
import { AttributionError } from '../../../sdk/typescript/src/errors.ts';
import { useClient } from '../api/ApiProvider.tsx';
import { readAgain } from '../api/readAgain.ts';
import { SessionEndedError } from '../session/accessToken.ts';
import { useSession } from '../session/session.ts';
import { beginSession } from '../session/sessionApi.ts';
import { type Entries, entriesOf } from './entries.ts';
import { keepForm } from './pendingForm.ts';
import { needsRecentSignIn, signInAgain } from './stepUp.ts';
import type { DialogState } from './useDialog.ts';

type Faults = ReadonlyMap<string, string>;

const NO_FAULTS: Faults = new Map();

/** Messages by field. The pointer `/scope/owner` concerns the field `owner`. */
const faultsOf = (error: unknown): Faults =>
  error instanceof AttributionError
    ? new Map(
        (error.problem?.errors ?? []).map(({ pointer = '', detail }) => [
          pointer.split('/').findLast((part) => /^[a-z]/i.test(part)) ?? '',
          detail,
        ]),
      )
    : NO_FAULTS;

interface Progress<Reply> {
  /** Null until the service has answered. A reply can be empty, such as that of a deletion. */
  readonly done: { readonly reply: Reply } | null;
  readonly error: Error | null;
  readonly isSending: boolean;
}

/**
 * Sends the request of a form. Its Idempotency-Key is made when the form opens, so that a repeated click has no second
 * effect. If the service asks for a recent sign-in, or the session has ended, the form is kept without its secret, and the
 * same request is sent after the sign-in.
 */
export const useSend = <Reply>(
  dialog: DialogState,
  send: (client: Client, entries: Entries, options: CallOptions) => Promise<Reply>,
  secretField?: string,
) => {
  const client = useClient();
  const session = useSession();
  const queries = useQueryClient();
  const key = useRef(dialog.pending?.idempotencyKey ?? crypto.randomUUID());
  const [state, setState] = useState<Progress<Reply>>({
    done: null,
    error: null,
    isSending: false,
  });

  /** `isRepeated`: the request that waited for the sign-in. If that was not enough, the person decides what to do. */
  const start = async (
    entries: readonly (readonly [string, string])[],
    isRepeated = false,
  ): Promise<void> => {
    setState({ done: null, error: null, isSending: true });
    try {
      const reply = await send(client, entriesOf(entries), { idempotencyKey: key.current });
      setState({ done: { reply }, error: null, isSending: false });
      await readAgain(queries);
    } catch (error) {
      const isTooOld = needsRecentSignIn(error);
      const needsSignIn = (isTooOld && !isRepeated) || error instanceof SessionEndedError;
      if (needsSignIn) {
        keepForm({
          dialog: dialog.name,
          subject: dialog.subject,
          entries: entries.filter(([name]) => name !== secretField),
          idempotencyKey: key.current,
          userId: session.userId,
          tenantId: session.tenant.id,
        });
        if (isTooOld) signInAgain();
        else beginSession();
        return;
      }
      // A refused request had no effect. A changed form is another request, which needs another key.
      if (error instanceof AttributionError && error.status < 500) key.current = crypto.randomUUID();
      setState({
        done: null,
        error: error instanceof Error ? error : Error(String(error)),
        isSending: false,
      });
    }
  };
  return { ...state, faults: faultsOf(state.error), start };
};
