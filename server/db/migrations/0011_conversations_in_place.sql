DROP INDEX "conversations_latest";--> statement-breakpoint
DROP INDEX "conversations_seller";--> statement-breakpoint
CREATE INDEX "conversations_seller" ON "conversations" USING btree ("seller_id");