import { useEffect, useState } from 'react';
import { useSession } from '../session/session.ts';
import { discardForm, type PendingForm, readForm } from './pendingForm.ts';

export interface DialogState {
  readonly name: string;
  readonly isOpen: boolean;
  /** The id of what the dialog concerns, such as of the key to revoke. */
  readonly subject: string;
  /** The form that was filled in before the person signed in again. */
  readonly pending: PendingForm | null;
  readonly open: (subject?: string) => void;
  readonly close: () => void;
}

/** The state of a dialog. It opens by itself with a form that waited for a sign-in. `name` is unique in the console. */
export const useDialog = (name: string): DialogState => {
  const session = useSession();
  const [pending, setPending] = useState(() => readForm(name, session));
  const [subject, setSubject] = useState<string | null>(pending?.subject ?? null);
  // The form opens once. It is deleted after the render that shows it, which React may have repeated.
  useEffect(() => discardForm(name), [name]);
  return {
    name,
    isOpen: subject !== null,
    subject: subject ?? '',
    pending,
    open: (next = '') => setSubject(next),
    close: () => {
      setSubject(null);
      setPending(null);
    },
  };
};
