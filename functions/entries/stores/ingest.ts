import { acceptedQueue } from '../../ingest/events/acceptedQueue.aws.ts';

export const acceptedSend = (queue: string) => ({ accepted: acceptedQueue(queue) });
