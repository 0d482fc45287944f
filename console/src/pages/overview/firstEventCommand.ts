/** A command that sends one event. It runs when pasted into a shell, with the key in it. */
export const firstEventCommand = (
  baseUrl: string,
  { id, at }: { readonly id: string; readonly at: string },
  key = 'YOUR_KEY',
): string => {
  const event = {
    event_id: id,
    ingestion_layer: 'application',
    ingestion_timestamp: at,
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: 1_200,
    output_tokens: 350,
    attributed_service: 'my-service',
    attributed_identity: 'my-team',
  };
  return `curl ${baseUrl}/api/v1/invocations \\
  -H 'X-API-Key: ${key}' \\
  -H 'Idempotency-Key: ${event.event_id}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(event)}'`;
};
