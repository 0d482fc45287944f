import {
  createWebhook,
  deleteWebhook,
  replayToWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  verifyWebhook,
} from '../../../../sdk/typescript/src/operations.ts';
import type { WebhookEndpoint } from '../../../../sdk/typescript/src/types.ts';
import { Copyable } from '../../components/Copyable.tsx';
import { plural } from '../../format/amount.ts';
import { isoDay } from '../../format/time.ts';
import { ChoicesField, SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { EVENT_TYPES, eventOptions, eventsOf } from './webhookEvents.ts';

/** Added, so that the events of the running minute are included. */
const MINUTE_MS = 60_000;

const SecretResult = ({ secret, withheld }: { secret: string | null; withheld: string | undefined }) =>
  secret === null ? (
    <p>{withheld ?? 'The secret was shown before and cannot be read again.'}</p>
  ) : (
    <>
      <p>This secret signs every delivery. It is shown once.</p>
      <Copyable text={secret} label="the signing secret" />
    </>
  );

const Fields = ({ endpoint }: { endpoint?: WebhookEndpoint }) => (
  <>
    <TextField
      name="url"
      label="URL"
      type="url"
      required
      placeholder="https://example.com/hooks"
      defaultValue={endpoint?.url ?? ''}
    />
    <TextField name="description" label="Description" defaultValue={endpoint?.description ?? ''} />
    <ChoicesField
      name="events"
      label="Events"
      options={eventOptions}
      defaultValues={endpoint?.events ?? ['budget.threshold.crossed', 'anomaly.detected']}
    />
    <TextField
      name="max_batch_size"
      label="Events in one request, at most"
      type="number"
      min={1}
      max={100}
      step={1}
      required
      defaultValue={endpoint?.max_batch_size ?? 1}
      hint="Above 1 the body is a list of events, which the receiver must read."
    />
  </>
);

export const CreateWebhookDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Add an endpoint"
    submit="Add"
    send={(client, entries, options) =>
      createWebhook(
        client,
        {
          url: entries.text('url'),
          events: eventsOf(entries.all('events')),
          max_batch_size: Number(entries.text('max_batch_size')),
          ...entries.optional('description'),
        },
        options,
      )
    }
    result={({ signing_secret: secret, withheld }) => <SecretResult secret={secret} withheld={withheld} />}
  >
    <Fields />
  </FormDialog>
);

export const EditWebhookDialog = ({ of, endpoint }: { of: DialogState; endpoint: WebhookEndpoint }) => (
  <FormDialog
    of={of}
    title="Edit the endpoint"
    submit="Save"
    send={(client, entries, options) =>
      updateWebhook(
        client,
        endpoint.id,
        {
          ...(entries.text('url') !== endpoint.url && { url: entries.text('url') }),
          events: eventsOf(entries.all('events')),
          max_batch_size: Number(entries.text('max_batch_size')),
          description: entries.text('description') || null,
        },
        options,
      )
    }
  >
    <Fields endpoint={endpoint} />
  </FormDialog>
);

export const EnableWebhookDialog = ({ of, endpoint }: { of: DialogState; endpoint: WebhookEndpoint }) => {
  const isDisabled = endpoint.status === 'disabled';
  return (
    <FormDialog
      of={of}
      title={isDisabled ? 'Enable the endpoint?' : 'Disable the endpoint?'}
      submit={isDisabled ? 'Enable' : 'Disable'}
      isDanger={!isDisabled}
      send={(client, _, options) => updateWebhook(client, endpoint.id, { enabled: isDisabled }, options)}
    >
      <p>
        {isDisabled ? 'Events are sent to it again.' : 'Nothing is sent to it until it is enabled again.'}
      </p>
    </FormDialog>
  );
};

export const VerifyWebhookDialog = ({ of, id }: { of: DialogState; id: string }) => (
  <FormDialog
    of={of}
    title="Verify the endpoint"
    submit="Verify"
    send={(client, entries, options) => verifyWebhook(client, id, entries.optional('challenge'), options)}
    result={({ status }) => <p>The endpoint is {status}.</p>}
  >
    <p className="quiet small">
      An endpoint verifies itself by returning the challenge that it receives. To confirm by hand, paste the
      challenge from its log. Leave the field empty to send a new challenge.
    </p>
    <TextField name="challenge" label="Challenge" />
  </FormDialog>
);

export const RotateSecretDialog = ({ of, id }: { of: DialogState; id: string }) => (
  <FormDialog
    of={of}
    title="Replace the signing secret?"
    submit="Replace"
    send={(client, entries, options) =>
      rotateWebhookSecret(client, id, { overlap_seconds: Number(entries.text('overlap')) }, options)
    }
    result={({ signing_secret: secret, withheld }) => <SecretResult secret={secret} withheld={withheld} />}
  >
    <SelectField
      name="overlap"
      label="Sign with both secrets for"
      options={[
        { value: '3600', label: 'One hour' },
        { value: '86400', label: 'One day' },
        { value: '0', label: 'No time: the old secret ends now' },
      ]}
    />
  </FormDialog>
);

export const TestWebhookDialog = ({ of, id }: { of: DialogState; id: string }) => (
  <FormDialog
    of={of}
    title="Send a sample event"
    submit="Send"
    send={(client, entries, options) =>
      testWebhook(
        client,
        id,
        { type: EVENT_TYPES.find((type) => type === entries.text('type')) ?? 'budget.threshold.crossed' },
        options,
      )
    }
  >
    <SelectField name="type" label="Event" options={eventOptions} defaultValue="budget.threshold.crossed" />
  </FormDialog>
);

export const ReplayWebhookDialog = ({ of, id }: { of: DialogState; id: string }) => (
  <FormDialog
    of={of}
    title="Send past events again"
    submit="Send again"
    send={(client, entries, options) =>
      replayToWebhook(
        client,
        id,
        entries.text('event_id') === ''
          ? { from: `${entries.text('from')}:00Z`, to: `${entries.text('to')}:00Z` }
          : { event_id: entries.text('event_id') },
        options,
      )
    }
    result={({ event_ids: ids }) => <p>{plural(ids.length, 'event')} will be sent again.</p>}
  >
    <TextField name="event_id" label="Event id" hint="Or leave it empty, and choose a time" />
    <div className="pair">
      <TextField
        name="from"
        label="From (UTC)"
        type="datetime-local"
        defaultValue={`${isoDay(Date.now())}T00:00`}
      />
      <TextField
        name="to"
        label="To (UTC)"
        type="datetime-local"
        defaultValue={new Date(Date.now() + MINUTE_MS).toISOString().slice(0, 16)}
      />
    </div>
  </FormDialog>
);

export const DeleteWebhookDialog = ({ of, id, done }: { of: DialogState; id: string; done: () => void }) => (
  <FormDialog
    of={of}
    title="Delete the endpoint?"
    submit="Delete"
    isDanger
    send={async (client, _, options) => {
      await deleteWebhook(client, id, options);
      done();
    }}
  >
    <p>Deliveries end at once, also those that wait for another attempt.</p>
  </FormDialog>
);
