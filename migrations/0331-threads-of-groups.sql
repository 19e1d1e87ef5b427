-- The threads of a group's posts: their answers are announced to servers of Lemmy's kind (domain/groups/threads.ts).
ALTER TABLE group_posts ADD COLUMN conversation_id bigint;
UPDATE group_posts p SET conversation_id = s.conversation_id FROM statuses s WHERE s.id = p.status_id;
CREATE INDEX group_posts_conversation ON group_posts (conversation_id) WHERE state = 'shared';
