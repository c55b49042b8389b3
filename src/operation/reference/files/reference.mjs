/** Starts the reference. On a demo installation its partner is signed in first, so that every operation can be tried at once. */
const { configuration, demo } = JSON.parse(document.getElementById('settings').textContent);

async function tokenOf({ partnerId, appKey, secret }) {
  try {
    const response = await fetch('/auth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-partner-id': partnerId },
      body: JSON.stringify({ appKey, secret }),
      signal: AbortSignal.timeout(5_000),
    });
    return (await response.json()).token ?? '';
  } catch {
    // Without a token one can still sign in by hand.
    return '';
  }
}

const authentication = demo && {
  preferredSecurityScheme: [['accessToken', 'partnerId']],
  securitySchemes: { partnerId: { value: demo.partnerId }, accessToken: { token: await tokenOf(demo) } },
};
window.Scalar.createApiReference('#reference', {
  ...configuration,
  darkMode: matchMedia('(prefers-color-scheme: dark)').matches,
  ...(authentication && { authentication }),
});
