import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { readAgain } from '../../api/readAgain.ts';
import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Copyable } from '../../components/Copyable.tsx';
import { Skeleton } from '../../components/reading/Loaded.tsx';
import { DAY_MS, startOfDay } from '../../format/time.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { CreateKeyDialog } from '../keys/CreateDialogs.tsx';
import { firstEventCommand } from './firstEventCommand.ts';

const POLL_MS = 3_000;
const DAYS = 90;

/**
 * For a period without calls. A tenant without any call gets the first steps, and its dashboard as soon as the first
 * event is in a report. A tenant with older calls is told where they are.
 */
export const FirstRun = () => {
  const queries = useQueryClient();
  const to = startOfDay(Date.now()) + DAY_MS;
  const usage = useRead(
    ['usage', 'first-event'],
    (client, options) => readUsage(client, { from: to - DAYS * DAY_MS, to, groupBy: [] }, options),
    { refetchInterval: (data) => (data === undefined || data.totals.invocations === 0) && POLL_MS },
  );
  const hasCalls = usage.data !== undefined && usage.data.totals.invocations > 0;
  useEffect(() => {
    if (hasCalls) readAgain(queries, { queryKey: ['usage', 'overview'] });
  }, [hasCalls, queries]);
  if (usage.data === undefined) return <Skeleton height={420} />;
  return hasCalls ? (
    <Card title="No calls in these days">
      <p>
        Earlier calls are there. <Link href="/explore?days=90">Explore the last 90 days</Link>
      </p>
    </Card>
  ) : (
    <FirstSteps />
  );
};

const FirstSteps = () => {
  const canCreateKey = useCan('admin:config');
  const create = useDialog('create-first-key');
  // One event for as long as the page is open, so that the text can be selected and copied.
  const [event] = useState(() => ({ id: crypto.randomUUID(), at: new Date().toISOString() }));
  const commandWith = (key?: string): string => firstEventCommand(location.origin, event, key);
  return (
    <Card title="Send your first event" aside={<p role="status">Waiting for the first event</p>}>
      <ol className="rows">
        <li className="stack">
          <strong>1. Create an API key that may send events</strong>
          {canCreateKey ? (
            <div>
              <button type="button" className="button primary" onClick={() => create.open()}>
                Create an API key
              </button>
            </div>
          ) : (
            <p className="quiet small">An administrator of your tenant creates it.</p>
          )}
        </li>
        <li className="stack">
          <strong>2. Send one call, with the key in place of YOUR_KEY</strong>
          <Copyable text={commandWith()} label="the command" />
          <p className="quiet small">
            It reports a call with its tokens, its service and the team that pays for it, never its content.
            Libraries, gateways and OpenTelemetry send the same event: the reference is at{' '}
            <a href="/docs">/docs</a>.
          </p>
        </li>
        <li className="stack">
          <strong>3. See it here</strong>
          <p className="quiet small">This page becomes the dashboard within a minute of the first event.</p>
        </li>
      </ol>
      <CreateKeyDialog of={create} exampleOf={commandWith} />
    </Card>
  );
};
