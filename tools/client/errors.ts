/** The service rejected the request. The identical request would be rejected again. */
export class RequestRejected extends Error {
  override readonly name = 'RequestRejected';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** No usable response within the retry budget. The service may or may not have received the request. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** The caller aborted while a request waited for its next attempt. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/** An error message with all its causes on one line, because `fetch failed` alone does not help. */
export const describeFault = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.cause === undefined) return fault.message || fault.name;
  return `${fault.message}: ${describeFault(fault.cause)}`;
};
