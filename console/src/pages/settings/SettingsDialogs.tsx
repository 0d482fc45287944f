import { updateTenant } from '../../../../sdk/typescript/src/operations.ts';
import type { AllocationPolicy, TenantSettings } from '../../../../sdk/typescript/src/types.ts';
import type { Entries } from '../../forms/entries.ts';
import { SelectField, TextArea, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

interface SettingsDialogProps {
  readonly of: DialogState;
  readonly settings: TenantSettings;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const AttributionDialog = ({ of, settings }: SettingsDialogProps) => (
  <FormDialog
    of={of}
    title="Tenant settings"
    submit="Save"
    send={(client, entries, options) =>
      updateTenant(
        client,
        {
          key_lifetime_days: Number(entries.text('key_lifetime_days')),
          largest_reported_cost_usd: entries.text('largest_reported_cost_usd').trim() || null,
          stage_b: entries.text('stage_b') === 'disabled' ? 'disabled' : 'enabled',
          residency: linesOf(entries.text('residency')),
          cost_allocation_tags: linesOf(entries.text('cost_allocation_tags')),
        },
        options,
      )
    }
  >
    <TextField
      name="key_lifetime_days"
      label="Longest lifetime of a new API key, in days"
      type="number"
      min={1}
      required
      defaultValue={settings.key_lifetime_days}
    />
    <TextField
      name="largest_reported_cost_usd"
      label="Largest cost of one call, in USD"
      hint="A call that costs more has no cost until somebody confirms it. Empty: only costs that the usage cannot explain, or above 60,000 USD, are set aside"
      inputMode="decimal"
      pattern="\d{1,18}(\.\d{1,12})?"
      defaultValue={settings.largest_reported_cost_usd ?? ''}
    />
    <SelectField
      name="stage_b"
      label="Predictions where no rule decides"
      defaultValue={settings.stage_b}
      options={[
        { value: 'enabled', label: 'Enabled' },
        { value: 'disabled', label: 'Disabled: such calls stay unresolved' },
      ]}
    />
    <TextArea
      name="residency"
      label="Data-residency lanes"
      hint="One a line, such as eu-central. Keys and clients can be bound to a lane. The first lane gets the events of credentials without one. Stored records never change their lane"
      defaultValue={settings.residency.join('\n')}
    />
    <TextArea
      name="cost_allocation_tags"
      label="Cost allocation tags"
      hint="Keys of tags that reports can group by, one a line, such as env for env:prod. At most five, and none that names persons. A change applies to calls from the next UTC day on"
      defaultValue={settings.cost_allocation_tags.join('\n')}
    />
  </FormDialog>
);

const policyOf = (entries: Entries): AllocationPolicy => {
  const method = entries.text('method');
  if (method === 'even' || method === 'none') return { method };
  if (method !== 'fixed') return { method: 'proportional' };
  const fixed = linesOf(entries.text('fixed')).map((line) => {
    const [owner = '', share = ''] = line.split(/\s+(?=\S+$)/);
    return { owner, share };
  });
  return { method, fixed };
};

export const AllocationDialog = ({ of, settings: { allocation } }: SettingsDialogProps) => (
  <FormDialog
    of={of}
    title="Allocate cost without an owner"
    submit="Save"
    send={(client, entries, options) => updateTenant(client, { allocation: policyOf(entries) }, options)}
  >
    <SelectField
      name="method"
      label="Method"
      defaultValue={allocation.method}
      options={[
        { value: 'proportional', label: 'In proportion to the attributed spend' },
        { value: 'even', label: 'Evenly' },
        { value: 'fixed', label: 'By fixed shares' },
        { value: 'none', label: 'Do not allocate' },
      ]}
    />
    <TextArea
      name="fixed"
      label="Fixed shares"
      hint="One owner and share a line, such as team-platform 0.6. The shares sum to 1. Only for fixed shares"
      defaultValue={
        allocation.method === 'fixed'
          ? allocation.fixed.map(({ owner, share }) => `${owner} ${share}`).join('\n')
          : ''
      }
    />
  </FormDialog>
);

export const ChannelsDialog = ({ of, settings: { notifications } }: SettingsDialogProps) => (
  <FormDialog
    of={of}
    title="Notification channels"
    submit="Save"
    send={(client, entries, options) => {
      const chat = entries.text('chat_url');
      return updateTenant(
        client,
        {
          notifications: {
            email: linesOf(entries.text('email')),
            ...(chat !== '' && { chat: { url: chat } }),
            minimum_severity: entries.text('minimum_severity') === 'critical' ? 'critical' : 'warning',
          },
        },
        options,
      );
    }}
  >
    <TextArea
      name="email"
      label="E-mail addresses"
      hint="One a line"
      defaultValue={notifications.email.join('\n')}
    />
    <TextField
      name="chat_url"
      label="Address of an incoming chat webhook"
      type="url"
      hint={notifications.chat === null ? 'Empty: none' : `Empty: unchanged (${notifications.chat.url})`}
    />
    <SelectField
      name="minimum_severity"
      label="Send"
      defaultValue={notifications.minimum_severity}
      options={[
        { value: 'warning', label: 'Warnings and critical notifications' },
        { value: 'critical', label: 'Critical notifications only' },
      ]}
    />
  </FormDialog>
);
