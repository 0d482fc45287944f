import { listNotifications } from '../../../sdk/typescript/src/operations.ts';
import { useRead } from './useRead.ts';

export const INBOX_ROWS = 20;
const POLL_MS = 60_000;

/** The newest notifications. One reading serves the navigation and the overview. */
export const useInbox = () =>
  useRead(
    ['notifications', 'newest'],
    (client, options) => listNotifications(client, { limit: INBOX_ROWS }, options),
    { refetchInterval: () => POLL_MS },
  );
