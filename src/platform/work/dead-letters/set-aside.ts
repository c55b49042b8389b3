/** How work is marked that waited when a backup was made, once that backup is restored. */
export const setAside = {
  reason: 'restored',
  detail: 'It waited when the backup was made that was restored here: it may have been done since.',
} as const;
