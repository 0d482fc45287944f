import * as storage from './pendingFormStorage.ts';

/** A form that waits for a recent sign-in. It holds what the person entered, and no credential. */
export interface PendingForm {
  readonly dialog: string;
  readonly subject: string;
  readonly entries: readonly (readonly [string, string])[];
  readonly idempotencyKey: string;
  readonly userId: string;
  readonly tenantId: string;
}

export const keepForm = (form: PendingForm): void => storage.write(JSON.stringify(form));

/**
 * The form that waited for this dialog, for the person and tenant that filled it in. It stays stored until
 * `discardForm`, because React may render a component more than once before it shows it.
 */
export const readForm = (
  dialog: string,
  session: { readonly userId: string; readonly tenant: { readonly id: string } },
): PendingForm | null => {
  const form = stored();
  if (form?.dialog !== dialog) return null;
  return form.userId === session.userId && form.tenantId === session.tenant.id ? form : null;
};

/** Deletes the form that waited for this dialog, whoever filled it in. */
export const discardForm = (dialog: string): void => {
  if (stored()?.dialog === dialog) storage.clear();
};

const stored = (): PendingForm | null => {
  const text = storage.read();
  return text === null ? null : JSON.parse(text);
};
