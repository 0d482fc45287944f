// Shows the API document with Swagger UI. The key of the visitor stays in the memory of the page.

/** In the field of a new request. It is replaced by a new key when the request is sent. */
const NEW_KEY = 'new-key-for-each-request';

const form = document.querySelector('form');
const field = document.querySelector('#key');
const status = document.querySelector('#status');

/** The document for this page: requests go to where the page came from, which its security policy requires. */
const adapt = (spec) => {
  spec.servers = [{ url: new URL('.', location.href).href.replace(/\/$/, '') }];
  // This flow needs a page of its own that the service redirects to.
  delete spec.components.securitySchemes.oauth2.flows.authorizationCode;
  spec.components.parameters['Idempotency-Key'].schema.default = NEW_KEY;
  return spec;
};

const withNewKey = (request) => {
  if (request.headers['Idempotency-Key'] === NEW_KEY) {
    request.headers['Idempotency-Key'] = crypto.randomUUID();
  }
  return request;
};

const show = (spec) =>
  new Promise((resolve) => {
    const ui = SwaggerUIBundle({
      spec: adapt(spec),
      dom_id: '#reference',
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      filter: true,
      persistAuthorization: false,
      tryItOutEnabled: true,
      validatorUrl: null,
      requestInterceptor: withNewKey,
      onComplete: () => resolve(ui),
    });
  });

let ui;

const load = async (key) => {
  status.textContent = 'Loading the API document …';
  const response = await fetch('openapi.json', { headers: key ? { 'x-api-key': key } : {} });
  if (response.status === 401) {
    status.textContent = key
      ? 'This key is not valid.'
      : 'This service publishes its API document only to its clients. Enter an API key.';
    return;
  }
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  const spec = await response.json();
  ui ??= await show(spec);
  if (key) ui.preauthorizeApiKey('apiKey', key);
  status.textContent = key ? 'The key is used for the requests that you try.' : '';
};

const loadOrExplain = (key) =>
  load(key).catch((error) => {
    status.textContent = `The API document could not be loaded: ${error.message}. Try again.`;
  });

form.addEventListener('submit', (event) => {
  event.preventDefault();
  loadOrExplain(field.value.trim());
});
loadOrExplain('');
