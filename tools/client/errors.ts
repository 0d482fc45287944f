/** The service answered and refused; the identical request would be refused again. */
export class RequestRejected extends Error {
  override readonly name = 'ServiceRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Nothing usable came back, for longer than the caller is patient. What was sent may or may not have arrived. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** The caller gave up while a request waited for its next attempt. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAbandoned';
}

/** One line about a fault, with the innermost cause: `fetch failed` alone says nothing. */
export const describeFault = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.cause === undefined) return fault.message || fault.name;
  return `${fault.message}: ${describeFault(fault.cause)}`;
};
