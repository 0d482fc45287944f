import { Link, useLocation, useParams } from 'wouter';
import { getWebhook } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { Card } from '../../components/Card.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { Deliveries } from './Deliveries.tsx';
import * as dialogs from './WebhookDialogs.tsx';
import { disabledReasons, statusTone } from './webhookState.ts';

/** Until the endpoint has answered the challenge. */
const POLL_MS = 3_000;

/** One endpoint: its state, its attempts, and what can be done about them. */
export const WebhookPage = () => {
  const { id = '' } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const endpoint = useRead(['webhook', id], (client, options) => getWebhook(client, id, options), {
    refetchInterval: (found) => found?.status === 'pending' && POLL_MS,
  });
  const edit = useDialog('edit-webhook');
  const enable = useDialog('enable-webhook');
  const verify = useDialog('verify-webhook');
  const rotate = useDialog('rotate-webhook');
  const test = useDialog('test-webhook');
  const replay = useDialog('replay-webhook');
  const remove = useDialog('delete-webhook');
  const data = endpoint.data?.id === id ? endpoint.data : undefined;
  const button = (label: string, dialog: { open: (subject?: string) => void }, tone = '') => (
    <button type="button" className={`button ${tone}`} onClick={() => dialog.open(id)}>
      {label}
    </button>
  );
  return (
    <Page
      title={data === undefined ? 'Endpoint' : new URL(data.url).host}
      lead={data?.description ?? 'A webhook endpoint'}
      back={
        <Link href="/webhooks">
          <Icon name="back" size={14} /> Webhooks
        </Link>
      }
      actions={
        data !== undefined && (
          <>
            {data.status !== 'pending' && button('Send a sample', test)}
            {data.status !== 'pending' && button('Send again', replay)}
            {button('Edit', edit)}
          </>
        )
      }
    >
      <Loaded of={{ ...endpoint, data }} height={260}>
        {(found) => (
          <>
            {found.status === 'pending' && (
              <Callout
                action={
                  <button type="button" onClick={() => verify.open(id)}>
                    Verify
                  </button>
                }
              >
                <strong>Not verified yet.</strong> Only the challenge is sent until the endpoint answers it.
              </Callout>
            )}
            {found.status === 'disabled' && found.disabled_reason !== null && (
              <Callout tone="bad">
                <strong>Disabled:</strong> {disabledReasons[found.disabled_reason]}. Nothing is sent.
              </Callout>
            )}
            <Card title="Endpoint">
              <dl className="facts">
                <dt>URL</dt>
                <dd className="mono">{found.url}</dd>
                <dt>State</dt>
                <dd>
                  <Pill tone={statusTone[found.status]}>{found.status}</Pill>
                </dd>
                <dt>Events</dt>
                <dd>{found.events.join(', ')}</dd>
                <dt>Events in one request</dt>
                <dd>{found.max_batch_size === 1 ? 'one' : `up to ${found.max_batch_size}`}</dd>
                <dt>Failing since</dt>
                <dd>{found.failing_since === null ? 'not failing' : <Moment at={found.failing_since} />}</dd>
                <dt>Secret</dt>
                <dd>
                  {found.secret_rotated_at === null ? (
                    'never replaced'
                  ) : (
                    <>
                      replaced <Moment at={found.secret_rotated_at} ago />
                    </>
                  )}{' '}
                  <button type="button" className="link" onClick={() => rotate.open(id)}>
                    Replace
                  </button>
                </dd>
                <dt>Authorized by</dt>
                <dd className="mono">{found.authorized_by ?? 'nobody'}</dd>
              </dl>
              <div className="controls">
                <button type="button" className="link" onClick={() => enable.open(id)}>
                  {found.status === 'disabled' ? 'Enable' : 'Disable'}
                </button>
                <button type="button" className="link bad" onClick={() => remove.open(id)}>
                  Delete
                </button>
              </div>
            </Card>
            <Deliveries id={id} />
            <dialogs.EditWebhookDialog of={edit} endpoint={found} />
            <dialogs.EnableWebhookDialog of={enable} endpoint={found} />
          </>
        )}
      </Loaded>
      <dialogs.VerifyWebhookDialog of={verify} id={id} />
      <dialogs.RotateSecretDialog of={rotate} id={id} />
      <dialogs.TestWebhookDialog of={test} id={id} />
      <dialogs.ReplayWebhookDialog of={replay} id={id} />
      <dialogs.DeleteWebhookDialog of={remove} id={id} done={() => navigate('/webhooks')} />
    </Page>
  );
};
