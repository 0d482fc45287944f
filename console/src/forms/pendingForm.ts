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

/** The form that waited for this dialog. It is given once, and only to the person and tenant that filled it in. */
export const takeForm = (
  dialog: string,
  session: { readonly userId: string; readonly tenant: { readonly id: string } },
): PendingForm | null => {
  const text = storage.read();
  if (text === null) return null;
  const form: PendingForm = JSON.parse(text);
  if (form.dialog !== dialog) return null;
  storage.clear();
  return form.userId === session.userId && form.tenantId === session.tenant.id ? form : null;
};
