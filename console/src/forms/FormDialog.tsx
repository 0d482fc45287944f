import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import type { CallOptions, Client } from '../../../sdk/typescript/src/client.ts';
import { Dialog } from './Dialog.tsx';
import type { Entries } from './entries.ts';
import { FieldFaults } from './Field.tsx';
import { FormFailure } from './FormFailure.tsx';
import { fillForm, readForm } from './formEntries.ts';
import type { DialogState } from './useDialog.ts';
import { useSend } from './useSend.ts';

interface FormDialogProps<Reply> {
  readonly of: DialogState;
  readonly title: string;
  readonly submit: string;
  readonly isDanger?: boolean;
  readonly isWide?: boolean;
  /** The field of a credential. It is not kept during a sign-in, so the person enters it again. */
  readonly secretField?: string;
  readonly send: (client: Client, entries: Entries, options: CallOptions) => Promise<Reply>;
  /** Shown in place of the form after it was sent. Without it, the dialog closes. */
  readonly result?: (reply: Reply) => ReactNode;
  readonly children?: ReactNode;
}

/** A form in a dialog that sends one request. The same dialog confirms an action that has no fields. */
export const FormDialog = <Reply,>(props: FormDialogProps<Reply>) =>
  props.of.isOpen && <OpenForm key={props.of.subject} {...props} />;

const OpenForm = <Reply,>({
  of,
  title,
  submit,
  isDanger = false,
  isWide = false,
  secretField,
  send,
  result,
  children,
}: FormDialogProps<Reply>) => {
  const form = useRef<HTMLFormElement>(null);
  const { done, error, faults, isSending, start } = useSend(of, send, secretField);
  const isDone = done !== null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that waited is filled in once, when the dialog opens, and sent unless it lacks a secret.
  useEffect(() => {
    if (of.pending === null || form.current === null) return;
    fillForm(form.current, of.pending.entries);
    if (secretField === undefined) start(of.pending.entries, true);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes once, when the reply arrives.
  useEffect(() => {
    if (isDone && result === undefined) of.close();
  }, [isDone]);

  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    start(readForm(event.currentTarget));
  };
  return (
    <Dialog title={title} isWide={isWide} close={of.close}>
      {done !== null && result !== undefined ? (
        <>
          {result(done.reply)}
          <footer>
            <button type="button" className="button primary" onClick={of.close}>
              Done
            </button>
          </footer>
        </>
      ) : (
        <form ref={form} className="bare" onSubmit={onSubmit} autoComplete="off">
          {of.pending !== null && secretField !== undefined && (
            <p role="status">You are signed in again. Enter the secret once more: it was not kept.</p>
          )}
          <FieldFaults value={faults}>{children}</FieldFaults>
          {error !== null && <FormFailure error={error} />}
          <footer>
            <button type="button" className="button" onClick={of.close}>
              Cancel
            </button>
            <button
              type="submit"
              className={isDanger ? 'button danger' : 'button primary'}
              disabled={isSending}
            >
              {isSending ? 'Sending' : submit}
            </button>
          </footer>
        </form>
      )}
    </Dialog>
  );
};
