CREATE TABLE "audit_head" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"count" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
INSERT INTO "audit_head" ("count", "hash") SELECT count(*), coalesce((SELECT "hash" FROM "audit_events" ORDER BY "id" DESC LIMIT 1), '') FROM "audit_events";
