import type { ReactNode } from 'react';
import type { CallOptions, Client } from '../../../sdk/typescript/src/client.ts';
import { FormDialog } from './FormDialog.tsx';
import type { DialogState } from './useDialog.ts';

interface DeleteDialogProps {
  readonly of: DialogState;
  /** What is deleted. */
  readonly name: string;
  readonly send: (client: Client, id: string, options: CallOptions) => Promise<unknown>;
  /** What follows from it, and what stays. */
  readonly children: ReactNode;
}

/** Asks before something is deleted. */
export const DeleteDialog = ({ of, name, send, children }: DeleteDialogProps) => (
  <FormDialog
    of={of}
    title={`Delete ${name}?`}
    submit="Delete"
    isDanger
    send={(client, _, options) => send(client, of.subject, options)}
  >
    <p>{children}</p>
  </FormDialog>
);
